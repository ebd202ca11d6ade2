import { PulseHost, type PulseSeen, type PulseSettings, pulse } from '@fairway/contract'
import { Button, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import classes from './pulse.module.css'

const SHOWN = 12

/** Whose pages the keys are bound to, and from whose pages beacons come. */
export function HostsCard({ of, live }: { of: PulseSettings; live: PulseSeen | null }) {
  const { t } = useTranslation('pulse')
  const show = useSnackbar()
  const mayEdit = useCanCall(pulse.routes.update)
  const [hosts, setHosts] = useState(of.hosts)
  const save = useChange(pulse.routes.update, {
    onDone: (saved) => {
      setHosts(saved.hosts)
      show('pulse', { message: t('saved') })
    },
  })
  const { startDelaySeconds, repeatDelaySeconds, batchNumber } = of.settings
  const wrong = hosts.find((host) => !PulseHost.safeParse(host).success)
  const isChanged = hosts.join(' ') !== of.hosts.join(' ')
  return (
    <Card
      title={t('hosts')}
      end={of.hosts.length > 0 ? <Pill tone="ok">{t('bound')}</Pill> : <Pill tone="neutral">{t('unbound')}</Pill>}
    >
      <form
        className={classes.fields}
        aria-label={t('hosts')}
        onSubmit={(event) => {
          event.preventDefault()
          if (wrong === undefined) save.mutate({ startDelaySeconds, repeatDelaySeconds, batchNumber, hosts })
        }}
      >
        <TagsInput
          label={t('hostsField')}
          description={t('hostsHelp')}
          placeholder={hosts.length === 0 ? (of.ownHosts[0] ?? 'www.example.com') : ''}
          value={hosts}
          onChange={setHosts}
          disabled={!mayEdit}
          splitChars={[',', ' ', '\n']}
          error={wrong === undefined ? null : t('hostWrong', { host: wrong })}
        />
        {mayEdit && (
          <div className={classes.foot}>
            {of.ownHosts.length > 0 && of.ownHosts.some((host) => !hosts.includes(host)) && (
              <Button variant="default" onClick={() => setHosts([...new Set([...hosts, ...of.ownHosts])])}>
                {t('takeOwn')}
              </Button>
            )}
            {isChanged && (
              <>
                <Button variant="default" onClick={() => setHosts(of.hosts)}>
                  {t('discard')}
                </Button>
                <Button type="submit" loading={save.isPending} disabled={wrong !== undefined}>
                  {t('save')}
                </Button>
              </>
            )}
          </div>
        )}
      </form>
      {live !== null && live.hosts.length > 0 && <Seen live={live} />}
    </Card>
  )
}

function Seen({ live }: { live: PulseSeen }) {
  const { t } = useTranslation('pulse')
  const format = useFormat()
  return (
    <FlushTable
      label={t('hostsSeen')}
      head={[
        { key: 'host', text: t('hostsSeen') },
        { key: 'beacons', text: t('taken'), number: true },
        { key: 'refused', text: t('refused'), number: true },
      ]}
    >
      {live.hosts.slice(0, SHOWN).map(({ host, beacons, refused }) => (
        <tr key={host}>
          <th scope="row">{host === '' ? t('hostUntold') : host}</th>
          <td className="num" data-number>
            {format.number(beacons)}
          </td>
          <td className="num" data-number>
            {format.number(refused)}
          </td>
        </tr>
      ))}
    </FlushTable>
  )
}

import type { DnsSecondary } from '@fairway/contract'
import { SECONDARY_SERVERS, secondaryConfig, type SecondaryServer } from '@fairway/domain'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import classes from './dns-settings.module.css'

type SecondaryConfigProps = {
  created: { data: DnsSecondary; secret: string }
  catalog: string
  primary: { host: string; port: number }
  onClose: () => void
}

/** The configuration of the new secondary, with its secret, this once. */
export function SecondaryConfig({ created: { data, secret }, catalog, primary, onClose }: SecondaryConfigProps) {
  const { t } = useTranslation('dns-settings')
  const [server, setServer] = useState<SecondaryServer>('knot')
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('secondaries.configTitle', { name: data.name })}
      size={680}
      footer={<Button onClick={onClose}>{t('secondaries.kept')}</Button>}
    >
      <div className={classes.blocks}>
        <p className={classes.text}>{t('secondaries.once')}</p>
        <Segmented
          label={t('secondaries.server')}
          value={server}
          onChange={setServer}
          options={SECONDARY_SERVERS.map(({ id, name }) => ({ value: id, label: name }))}
          full
        />
        <CodeSnippet
          label={t(`secondaries.file.${server}`)}
          code={secondaryConfig(server, { keyName: data.keyName, secret, catalog, ...primary })}
        />
        <p className={classes.quiet}>{t(`secondaries.note.${server}`)}</p>
      </div>
    </Dialog>
  )
}

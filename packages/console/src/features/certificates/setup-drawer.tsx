import { type AuthorityId, certificates } from '@fairway/contract'
import { Select, Skeleton, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { siteRead } from '../../shell/scope/scope.ts'
import { useFoundSites } from '../../shell/scope/use-found-sites.ts'
import classes from './certificates.module.css'
import { OrderForm } from './order-form.tsx'
import { UploadForm } from './upload-form.tsx'

type Kind = AuthorityId | 'upload'
type SetupDrawerProps = {
  opened: boolean
  onClose: () => void
  /** Undefined: the site is chosen here. */ site: string | undefined
  onMade: (id: string) => void
}

/** A new certificate: who signs, for which names; the rest happens by itself. Or one that was bought elsewhere. */
export function SetupDrawer({ opened, onClose, site, onMade }: SetupDrawerProps) {
  const { t } = useTranslation('certificates')
  const { data: authorities } = useRead(certificates.routes.authorities, {}, { enabled: opened })
  const [text, setText] = useState('')
  const [chosenSite, setChosenSite] = useState<{ id: string; domainName: string } | null>(null)
  // The name of what is chosen stands in the field without being a search.
  const sites = useFoundSites(text === chosenSite?.domainName ? '' : text, { enabled: opened && site === undefined })
  const [chosen, setChosen] = useState<Kind | null>(null)
  const firstReady = authorities?.data.find(({ configured }) => configured)?.id
  const kind = chosen ?? firstReady ?? 'upload'
  const { data: given } = useQuery({ ...siteRead(site ?? ''), enabled: opened && site !== undefined })
  const at = site === undefined ? chosenSite : given?.data.find(({ id }) => id === site)
  const [first] = sites.rows
  if (site === undefined && chosenSite === null && first) setChosenSite(first)
  const offered = at ? [at, ...sites.rows.filter(({ id }) => id !== at.id)] : sites.rows
  const before = (
    <>
      {site === undefined && (
        <Select
          label={t('setupSite')}
          data={offered.map(({ id, domainName }) => ({ value: id, label: domainName }))}
          value={at?.id ?? null}
          onChange={(next) => setChosenSite(offered.find(({ id }) => id === next) ?? null)}
          onSearchChange={setText}
          description={sites.more > 0 && t('shell:strip.more', { count: sites.more })}
          allowDeselect={false}
          searchable
        />
      )}
      <div className={classes.kinds} role="radiogroup" aria-label={t('setupKind')}>
        {authorities?.data.map(({ id, name, configured }) => (
          <KindCard
            key={id}
            name={name}
            text={t(configured ? `kind.${id}` : 'kind.notSetUp')}
            isChosen={kind === id}
            disabled={!configured}
            onChoose={() => setChosen(id)}
          />
        ))}
        <KindCard
          name={t('kind.uploadName')}
          text={t('kind.upload')}
          isChosen={kind === 'upload'}
          disabled={false}
          onChoose={() => setChosen('upload')}
        />
      </div>
    </>
  )
  if (!opened) return null
  if (!at) return <Skeleton height={1} />
  const props = { site: { id: at.id, domainName: at.domainName }, before, opened, onClose, onMade }
  return kind === 'upload' ? (
    <UploadForm key={at.id} {...props} />
  ) : (
    <OrderForm key={`${at.id} ${kind}`} {...props} authority={kind} />
  )
}

function KindCard({
  name,
  text,
  isChosen,
  disabled,
  onChoose,
}: {
  name: string
  text: string
  isChosen: boolean
  disabled: boolean
  onChoose: () => void
}) {
  return (
    <UnstyledButton
      role="radio"
      aria-checked={isChosen}
      aria-disabled={disabled || undefined}
      className={classes.kind}
      data-chosen={isChosen || undefined}
      data-disabled={disabled || undefined}
      onClick={() => {
        if (!disabled) onChoose()
      }}
    >
      <span className={classes.kindName}>{name}</span>
      <span className={classes.small}>{text}</span>
    </UnstyledButton>
  )
}

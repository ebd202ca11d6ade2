import type { Domain } from '@fairway/contract'
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './many-dialog.module.css'

/** More than are seen at a glance. */
const FEW = 8

type DomainChoiceProps = {
  domains: readonly Pick<Domain, 'id' | 'name'>[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** Which domains of the site; a search where there are many. */
export function DomainChoice({ domains, chosen, onChange }: DomainChoiceProps) {
  const { t } = useTranslation('routing-strategies')
  const [search, setSearch] = useState('')
  const shown = domains.filter(({ name }) => name.includes(search.trim().toLowerCase()))
  const chosenShown = shown.filter(({ id }) => chosen.includes(id)).length
  const toggleAll = () => {
    const rest = chosen.filter((id) => shown.every((one) => one.id !== id))
    onChange(chosenShown === shown.length ? rest : [...rest, ...shown.map(({ id }) => id)])
  }
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t('many.domains', { count: chosen.length })}</legend>
      {domains.length > FEW && (
        <TextInput
          aria-label={t('many.search')}
          placeholder={t('many.search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {shown.length > 1 && (
        <Checkbox
          label={t('many.all', { count: shown.length })}
          checked={chosenShown === shown.length}
          indeterminate={chosenShown > 0 && chosenShown < shown.length}
          onChange={toggleAll}
        />
      )}
      <div className={classes.domains}>
        {shown.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.includes(id)}
            onChange={() => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
          />
        ))}
        {shown.length === 0 && <p className={classes.about}>{t('many.noMatch')}</p>}
      </div>
    </fieldset>
  )
}

import { IpAddress } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SampleChips } from '../../why/sample-chips.tsx'
import classes from './simulate-bar.module.css'

/** Asks what a visitor at an address would get; the answer opens with its reasons. */
export function SimulateBar() {
  const { t } = useTranslation(['routing-strategies', 'why-panel'])
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState(false)
  const ask = (address: string) => void navigate({ to: '.', search: (before) => ({ ...before, why: address }) })
  const submit = () => {
    const address = typed.trim()
    const isValid = IpAddress.safeParse(address).success
    setProblem(!isValid)
    if (isValid) ask(address)
  }
  return (
    <section className={classes.bar} aria-label={t('simulate.title')}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextInput
          className={classes.field}
          classNames={{ input: classes.mono }}
          aria-label={t('simulate.address')}
          placeholder={t('simulate.placeholder')}
          value={typed}
          error={problem ? t('why-panel:addressWrong') : null}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setProblem(false)
          }}
          spellCheck={false}
          autoComplete="off"
        />
        <Button type="submit" variant="default">
          {t('simulate.verb')}
        </Button>
      </form>
      <span className={classes.or}>{t('simulate.or')}</span>
      <SampleChips chosen={undefined} onChoose={ask} />
    </section>
  )
}

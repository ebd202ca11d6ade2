import { ChallengeMode, LIMITS } from '@fairway/contract'
import type { FirewallAction, RateLimit, RateLimitKey } from '@fairway/contract'
import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './editor.module.css'

const TYPES = ['block', 'pass', 'rate-limit', 'redirect', 'challenge', 'simulate'] as const
const KEYS = ['address', 'path', 'header', 'cookie'] as const
const FIGURES = ['requests', 'seconds', 'blockSeconds'] as const

function newAction(type: (typeof TYPES)[number]): FirewallAction {
  switch (type) {
    case 'rate-limit':
      return { type, limit: { requests: 100, seconds: 60, blockSeconds: 60, keys: [{ by: 'address' }] } }
    case 'redirect':
      return { type, location: '' }
    case 'challenge':
      return { type, mode: 'browser-standard' }
    default:
      return { type }
  }
}

/** What becomes of a request that the rule is about, and what that needs. */
export function ActionFields({
  action,
  onChange,
}: {
  action: FirewallAction
  onChange: (action: FirewallAction) => void
}) {
  const { t } = useTranslation('firewall-rules')
  return (
    <div className={classes.fields}>
      <Select
        label={t('actionLabel')}
        description={t(`actionText.${action.type}`)}
        data={TYPES.map((value) => ({ value, label: t(`action.${value}`) }))}
        value={action.type}
        allowDeselect={false}
        onChange={(next) => {
          const type = TYPES.find((one) => one === next)
          if (type && type !== action.type) onChange(newAction(type))
        }}
      />
      {action.type === 'redirect' && (
        <TextInput
          label={t('location')}
          description={t('locationText')}
          placeholder="https://m.{host}"
          maxLength={1000}
          value={action.location}
          onChange={({ currentTarget }) => onChange({ ...action, location: currentTarget.value })}
        />
      )}
      {action.type === 'challenge' && (
        <Select
          label={t('modeLabel')}
          data={ChallengeMode.options.map((value) => ({ value, label: t(`mode.${value}`) }))}
          value={action.mode}
          allowDeselect={false}
          onChange={(next) => {
            if (next) onChange({ ...action, mode: ChallengeMode.parse(next) })
          }}
        />
      )}
      {action.type === 'rate-limit' && (
        <LimitFields limit={action.limit} onChange={(limit) => onChange({ ...action, limit })} />
      )}
    </div>
  )
}

function LimitFields({ limit, onChange }: { limit: RateLimit; onChange: (limit: RateLimit) => void }) {
  const { t } = useTranslation('firewall-rules')
  const nameOf = (by: 'header' | 'cookie') => {
    const key = limit.keys.find((one) => one.by === by)
    return key && 'name' in key ? key.name : ''
  }
  const put = (by: (typeof KEYS)[number], key: RateLimitKey | null) =>
    onChange({ ...limit, keys: [...limit.keys.filter((one) => one.by !== by), ...(key ? [key] : [])] })
  return (
    <>
      <div className={classes.figures}>
        {FIGURES.map((figure) => (
          <NumberInput
            key={figure}
            label={t(`limit.${figure}`)}
            value={limit[figure]}
            min={LIMITS.rateLimit[figure].min}
            max={LIMITS.rateLimit[figure].max}
            allowDecimal={false}
            onChange={(value) => onChange({ ...limit, [figure]: Number(value) })}
          />
        ))}
      </div>
      <div className={classes.fields} role="group" aria-label={t('limit.keys')}>
        <p>{t('limit.keys')}</p>
        {KEYS.map((by) => {
          const isOn = limit.keys.some((one) => one.by === by)
          const takesName = by === 'header' || by === 'cookie'
          return (
            <div key={by} className={classes.figures}>
              <Checkbox
                label={t(`key.${by}`)}
                checked={isOn}
                disabled={isOn && limit.keys.length === 1}
                onChange={({ currentTarget }) =>
                  put(by, currentTarget.checked ? (takesName ? { by, name: '' } : { by }) : null)
                }
              />
              {takesName && isOn && (
                <TextInput
                  aria-label={t(`keyName.${by}`)}
                  placeholder={t(`keyName.${by}`)}
                  maxLength={64}
                  value={nameOf(by)}
                  onChange={({ currentTarget }) => put(by, { by, name: currentTarget.value })}
                />
              )}
            </div>
          )
        })}
      </div>
    </>
  )
}

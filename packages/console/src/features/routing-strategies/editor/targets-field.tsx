import type { DomainCdn, SteeringMethod } from '@fairway/contract'
import { EVERY_CDN } from '@fairway/contract/lean'
import { ActionIcon, Menu, NumberInput, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../i18n/format.ts'
import { CdnName } from '../../../ui/marks/cdn-name.tsx'
import { ShareBar } from '../../../ui/charts/share-bar.tsx'
import { StatusPill } from '../../../ui/marks/status-pill.tsx'
import { moved } from '../order.ts'
import { weightShares } from '../rule-sentence.ts'
import { useTargetLook } from '../target-look.ts'
import classes from './targets-field.module.css'

type Target = { cdnId: string; weight?: number | undefined }
type TargetsFieldProps = {
  method: SteeringMethod
  cdns: readonly DomainCdn[]
  value: readonly Target[]
  onChange: (targets: { cdnId: string; weight: number }[]) => void
  error: string | null
}

/** The CDNs to choose from, in order; with weights where they count, shown as the shares that they make. */
export function TargetsField({ method, cdns, value, onChange, error }: TargetsFieldProps) {
  const { t } = useTranslation('routing-strategies')
  const format = useFormat()
  const lookOf = useTargetLook()
  const targets = value.map(({ cdnId, weight = 1 }) => ({ cdnId, weight }))
  const left = cdns.filter(({ cdnId }) => !targets.some((target) => target.cdnId === cdnId))
  const mayTakeAll = !targets.some(({ cdnId }) => cdnId === EVERY_CDN)
  const shares = weightShares(targets)
  const weighted = method === 'weighted-distribution'
  const setWeight = (cdnId: string, weight: number | string) =>
    onChange(
      targets.map((target) =>
        target.cdnId === cdnId ? { cdnId, weight: typeof weight === 'number' ? weight : Number.NaN } : target,
      ),
    )

  return (
    <div className={classes.root}>
      {weighted && targets.length > 0 && (
        <ShareBar
          size="large"
          label={t('shares')}
          shares={shares.map(({ cdnId, share }) => ({ ...lookOf(cdnId), key: cdnId, percent: share ?? 0 }))}
        />
      )}
      {targets.length > 0 && (
        <ol className={classes.list} aria-label={t('section.targets')}>
          {targets.map(({ cdnId, weight }, index) => {
            const { name, series } = lookOf(cdnId)
            const attached = cdns.find((cdn) => cdn.cdnId === cdnId)
            return (
              <li
                key={cdnId}
                className={classes.target}
                onKeyDown={(event) => {
                  const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
                  if (!event.altKey || step === 0) return
                  event.preventDefault()
                  onChange(moved(targets, index, index + step))
                }}
              >
                <span className={`${classes.number} num`} aria-hidden="true">
                  {index + 1}
                </span>
                <CdnName name={name} series={series} strong />
                <span className={classes.state}>
                  {cdnId === EVERY_CDN ? null : !attached ? (
                    <StatusPill state="unavailable" />
                  ) : !attached.enabled ? (
                    <StatusPill state="off" />
                  ) : (
                    attached.state !== 'operational' && <StatusPill state={attached.state} />
                  )}
                </span>
                {weighted && (
                  <>
                    <NumberInput
                      className={classes.weight}
                      aria-label={t('weightOf', { name })}
                      value={weight}
                      min={0}
                      max={100}
                      allowDecimal={false}
                      clampBehavior="strict"
                      onChange={(next) => setWeight(cdnId, next)}
                      hideControls={false}
                    />
                    <span className={`${classes.share} num`}>
                      {shares[index]?.share === null ? t('standby') : format.percent(shares[index]?.share ?? 0)}
                    </span>
                  </>
                )}
                <span className={classes.buttons}>
                  <ActionIcon
                    aria-label={t('earlier', { name })}
                    disabled={index === 0}
                    onClick={() => onChange(moved(targets, index, index - 1))}
                  >
                    <IconArrowUp size={15} stroke={1.7} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={t('later', { name })}
                    disabled={index === targets.length - 1}
                    onClick={() => onChange(moved(targets, index, index + 1))}
                  >
                    <IconArrowDown size={15} stroke={1.7} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={t('leaveOut', { name })}
                    onClick={() => onChange(targets.filter((target) => target.cdnId !== cdnId))}
                  >
                    <IconX size={15} stroke={1.7} />
                  </ActionIcon>
                </span>
              </li>
            )
          })}
        </ol>
      )}
      {(left.length > 0 || mayTakeAll) && (
        <Menu position="bottom-start" width={240}>
          <Menu.Target>
            <UnstyledButton className={classes.add}>
              <IconPlus size={15} stroke={1.8} aria-hidden />
              {t('addTarget')}
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown aria-label={t('addTarget')}>
            {left.map(({ cdnId, name, series }) => (
              <Menu.Item key={cdnId} onClick={() => onChange([...targets, { cdnId, weight: 1 }])}>
                <CdnName name={name} series={series} />
              </Menu.Item>
            ))}
            {mayTakeAll && (
              <Menu.Item onClick={() => onChange([...targets, { cdnId: EVERY_CDN, weight: 1 }])}>
                <CdnName {...lookOf(EVERY_CDN)} />
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {error !== null && (
        <p className={classes.error} role="alert">
          {targets.length === 0 ? t('targetsNeeded') : error}
        </p>
      )}
    </div>
  )
}

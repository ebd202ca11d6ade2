import { CHINA_NETWORKS, type VisitorFilter } from '@fairway/contract'
import { Checkbox, Skeleton, Textarea } from '@mantine/core'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GeoPicker } from '../../../ui/geo/geo-picker.tsx'
import { usePlaceWords } from '../../../ui/places/place-words.ts'
import { asNumbersOf, entriesOf, wrongCidr } from './filter-entries.ts'
import classes from './filter-fields.module.css'

const CityField = lazy(async () => ({ default: (await import('./city-field.tsx')).CityField }))

type Filter = Partial<VisitorFilter>
type FilterFieldsProps = { filter: Filter | undefined; onChange: (filter: VisitorFilter) => void }

const isChinaGroup = (network: string): boolean => CHINA_NETWORKS.some((group) => group === network)

/** Whom a rule is for: places, networks, address ranges. Kinds narrow each other down, values of a kind add up. */
export function FilterFields({ filter, onChange }: FilterFieldsProps) {
  const { t } = useTranslation('routing-strategies')
  const words = usePlaceWords()
  const { places = [], networks = [], cidrs = [] } = filter ?? {}
  const set = (change: Filter) => onChange({ places, networks, cidrs, ...change })
  const groups = networks.filter(isChinaGroup)
  const systems = networks.filter((network) => !isChinaGroup(network))
  const [systemsText, setSystemsText] = useState(systems.join('\n'))
  const [cidrsText, setCidrsText] = useState(cidrs.join('\n'))
  const wrongSystem = asNumbersOf(systemsText).wrong
  const wrong = wrongCidr(cidrs)

  return (
    <div className={classes.fields}>
      <GeoPicker
        label={t('filter.places')}
        none={t('filter.anywhere')}
        value={places}
        onChange={(next) => set({ places: next })}
      />
      <Suspense fallback={<Skeleton height={58} radius="md" />}>
        <CityField chosen={places} onAdd={(key) => set({ places: [...places, key] })} />
      </Suspense>
      <details className={classes.more} open={networks.length > 0 || undefined}>
        <summary>
          {t('filter.networks')}
          <span className={classes.count}>
            {networks.length > 0 ? t('filter.chosen', { count: networks.length }) : t('filter.any')}
          </span>
        </summary>
        <div className={classes.inside}>
          <Checkbox.Group
            label={t('filter.chinaNetworks')}
            description={t('filter.chinaNetworksHelp')}
            value={groups}
            onChange={(next) => set({ networks: [...next, ...systems] })}
          >
            <div className={classes.groups}>
              {CHINA_NETWORKS.map((group) => (
                <Checkbox key={group} value={group} label={words.network(group)} />
              ))}
            </div>
          </Checkbox.Group>
          <Textarea
            label={t('filter.systems')}
            description={t('filter.systemsHelp')}
            autosize
            minRows={2}
            maxRows={6}
            classNames={{ input: classes.mono }}
            spellCheck={false}
            value={systemsText}
            error={wrongSystem === null ? null : t('filter.systemsWrong', { entry: wrongSystem })}
            onChange={(event) => {
              const text = event.currentTarget.value
              setSystemsText(text)
              set({ networks: [...groups, ...asNumbersOf(text).networks] })
            }}
          />
        </div>
      </details>
      <details className={classes.more} open={cidrs.length > 0 || undefined}>
        <summary>
          {t('filter.cidrs')}
          <span className={classes.count}>
            {cidrs.length > 0 ? t('filter.chosen', { count: cidrs.length }) : t('filter.any')}
          </span>
        </summary>
        <div className={classes.inside}>
          <Textarea
            label={t('filter.cidrsLabel')}
            description={t('filter.cidrsHelp')}
            autosize
            minRows={2}
            maxRows={10}
            classNames={{ input: classes.mono }}
            spellCheck={false}
            value={cidrsText}
            error={wrong === null ? null : t('filter.cidrsWrong', { entry: wrong })}
            onChange={(event) => {
              const text = event.currentTarget.value
              setCidrsText(text)
              set({ cidrs: entriesOf(text) })
            }}
          />
        </div>
      </details>
    </div>
  )
}

import { ExpiryUnit, PathType } from '@fairway/contract'
import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import classes from './bulk-configure.module.css'
import { Choice, type FormProps, Line, Switched } from './fields.tsx'

/** Lifetimes, what is never cached, and a purge. */
export function CacheFields({ hasWildcard, ...form }: FormProps & { hasWildcard: boolean }) {
  const { t } = useTranslation(['bulk-configure', 'cache-control', 'general-settings'])
  const { draft, onDraft } = form
  const units = (field: string) => (
    <Segmented
      label={t('cache.unit')}
      value={ExpiryUnit.options.find((unit) => unit === draft[field]) ?? 'day'}
      onChange={(value) => onDraft(field, value)}
      options={ExpiryUnit.options.map((value) => ({ value, label: t(`cache-control:unit.${value}`) }))}
    />
  )
  const types = (field: string) => (
    <Segmented
      label={t('cache.type')}
      value={PathType.options.find((type) => type === draft[field]) ?? 'directory'}
      onChange={(value) => onDraft(field, value)}
      options={PathType.options.map((value) => ({ value, label: t(`cache-control:type.${value}`) }))}
    />
  )
  return (
    <div className={classes.cards}>
      <Card title={t('cache.default')} hint={t('keepHint')}>
        <div className={classes.fields}>
          <div className={classes.group}>
            <Line {...form} field="defaultValue" label={t('cache.lifetime')} />
            {units('defaultUnit')}
          </div>
          <Switched {...form} field="defaultHonorOrigin" label={t('cache.honor')} />
          <Switched {...form} field="tieredCache" label={t('general-settings:field.tieredCache')} />
        </div>
      </Card>
      <Card title={t('cache.rule')} hint={t('cache.ruleHint')}>
        <div className={classes.fields}>
          <div className={classes.group}>
            {types('ruleType')}
            <Line {...form} field="rulePath" label={t('cache.path')} help={t('cache.pathHelp')} mono />
          </div>
          <div className={classes.group}>
            <Line {...form} field="ruleValue" label={t('cache.lifetime')} />
            {units('ruleUnit')}
          </div>
          <Switch
            label={t('cache.honor')}
            checked={draft['ruleHonorOrigin'] === 'on'}
            onChange={(event) => onDraft('ruleHonorOrigin', event.currentTarget.checked ? 'on' : 'off')}
          />
        </div>
      </Card>
      <Card title={t('cache.never')}>
        <div className={classes.fields}>
          <div className={classes.group}>
            {types('noCacheType')}
            <Line {...form} field="noCachePath" label={t('cache.path')} help={t('cache.pathHelp')} mono />
          </div>
        </div>
      </Card>
      <Card title={t('cache.purge')} hint={t('cache.purgeHint')}>
        <div className={classes.fields}>
          {hasWildcard && (draft['purge'] ?? '') !== '' && (
            <Notice tone="warn" title={t('cache.wildcard')}>
              {t('cache.wildcardText')}
            </Notice>
          )}
          <Choice
            {...form}
            field="purge"
            label={t('cache.what')}
            options={(['all', 'directory', 'tag'] as const).map((value) => ({
              value,
              label: t(`cache.purges.${value}`),
            }))}
          />
          {(draft['purge'] === 'directory' || draft['purge'] === 'tag') && (
            <Line
              {...form}
              field="purgeTargets"
              label={t(`cache.targets.${draft['purge']}`)}
              help={t('cache.targetsHelp')}
              lines={3}
              mono
            />
          )}
          {(draft['purge'] ?? '') !== '' && (
            <Switch
              label={t('cache.soft')}
              checked={draft['purgeSoft'] !== 'off'}
              onChange={(event) => onDraft('purgeSoft', event.currentTarget.checked ? 'on' : 'off')}
            />
          )}
        </div>
      </Card>
    </div>
  )
}

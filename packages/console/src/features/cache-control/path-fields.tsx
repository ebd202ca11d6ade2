import type { PathType } from '@fairway/contract'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Segmented } from '../../ui/forms/segmented.tsx'
import classes from './screen.module.css'

const EXAMPLES: Record<PathType, string> = { directory: '/images/', extension: '.jpg', pattern: '/shop/*/photo-*.jpg' }

type PathFieldsProps = {
  type: PathType
  path: string
  onType: (type: PathType) => void
  onPath: (path: string) => void
  onBlur: () => void
  error: string | null
  /** The plan has patterns. */ advanced: boolean
}

/** What a rule is about: a directory, an extension or a pattern. */
export function PathFields({ type, path, onType, onPath, onBlur, error, advanced }: PathFieldsProps) {
  const { t } = useTranslation('cache-control')
  return (
    <>
      <div className={classes.group}>
        <span className={classes.label}>{t('rule.type')}</span>
        <div>
          <Segmented
            label={t('rule.type')}
            value={type}
            onChange={onType}
            options={(['directory', 'extension', 'pattern'] as const).map((value) => ({
              value,
              label: t(`type.${value}`),
              disabled: value === 'pattern' && !advanced,
            }))}
          />
        </div>
        <span className={classes.quiet}>{t(`typeText.${type}`)}</span>
      </div>
      <TextInput
        label={t('rule.path')}
        placeholder={EXAMPLES[type]}
        value={path}
        error={error}
        onBlur={onBlur}
        onChange={({ currentTarget }) => onPath(currentTarget.value)}
        spellCheck={false}
        data-autofocus
      />
    </>
  )
}

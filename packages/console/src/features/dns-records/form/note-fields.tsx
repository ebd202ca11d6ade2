import { LIMITS } from '@fairway/contract'
import { TagsInput, TextInput } from '@mantine/core'
import { Controller, type FieldPath, useFormContext } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { RecordDraft } from './record-draft.ts'

/** What is noted beside a record. `known` are the tags of the site's other records. */
export function NoteFields({
  known,
  problem,
}: {
  known: readonly string[]
  problem: (field: FieldPath<RecordDraft>) => string | null
}) {
  const { t } = useTranslation('dns-records')
  const { register, control } = useFormContext<RecordDraft>()
  return (
    <>
      <TextInput
        label={t('comment')}
        description={t('noteHelp')}
        maxLength={LIMITS.recordComment}
        autoComplete="off"
        error={problem('comment')}
        {...register('comment')}
      />
      <Controller
        control={control}
        name="tags"
        render={({ field }) => (
          <TagsInput
            label={t('tags')}
            data={[...known]}
            maxTags={LIMITS.tagsPerRecord}
            splitChars={[',', ';']}
            clearable
            error={problem('tags')}
            {...field}
          />
        )}
      />
    </>
  )
}

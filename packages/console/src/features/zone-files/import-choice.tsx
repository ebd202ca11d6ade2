import { LIMITS } from '@fairway/contract'
import { Button, Textarea } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { Upload } from '../../ui/forms/upload.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { EMPTY, type ImportSource, changed, formatOf } from './import-source.ts'
import classes from './zone-files.module.css'

type ImportChoiceProps = {
  source: ImportSource
  onChange: (source: ImportSource) => void
  /** It is being imported, and stays what it is. */
  isGoing: boolean
}

/** What is imported, in which form, and what becomes of the rest. */
export function ImportChoice({ source, onChange, isGoing }: ImportChoiceProps) {
  const { t } = useTranslation('zone-files')
  const format = useFormat()
  const [isTooLarge, setTooLarge] = useState(false)
  const { text, fileName } = source
  const take = (next: string, name: string | null) =>
    onChange(changed(source, { text: next, fileName: name, format: formatOf(next, name) }))
  return (
    <>
      {fileName === null ? (
        <>
          <Upload
            text={t('drop')}
            verb={t('choose')}
            accept=".zone,.txt,.db,.bind,.csv,text/plain,text/csv"
            onFile={(file) => {
              setTooLarge(file.size > LIMITS.zoneFile.wholeBytes)
              if (file.size <= LIMITS.zoneFile.wholeBytes) void file.text().then((content) => take(content, file.name))
            }}
          />
          {isTooLarge && <Notice tone="bad">{t('tooLarge')}</Notice>}
          <Textarea
            label={t('paste')}
            value={text}
            onChange={(event) => take(event.target.value, null)}
            autosize
            minRows={4}
            maxRows={8}
            spellCheck={false}
            autoComplete="off"
            className={classes.paste}
            placeholder={EXAMPLE}
          />
        </>
      ) : (
        <div className={classes.file}>
          <IconFileText size={18} stroke={1.65} aria-hidden />
          <span className={classes.fileName}>{fileName}</span>
          <span className={classes.size}>{format.bytes(text.length)}</span>
          <Button
            variant="subtle"
            size="xs"
            disabled={isGoing}
            onClick={() => onChange(changed(EMPTY, { mode: source.mode }))}
          >
            {t('another')}
          </Button>
        </div>
      )}
      {text.trim() !== '' && !isGoing && (
        <div className={classes.choices}>
          <Segmented
            label={t('format.label')}
            value={source.format}
            onChange={(value) => onChange(changed(source, { format: value }))}
            options={[
              { value: 'bind', label: t('format.bind') },
              { value: 'csv', label: t('format.csv') },
            ]}
          />
          <Segmented
            label={t('mode.label')}
            value={source.mode}
            onChange={(value) => onChange(changed(source, { mode: value }))}
            options={[
              { value: 'merge', label: t('mode.merge') },
              { value: 'replace', label: t('mode.replace') },
            ]}
          />
          <p className={classes.meaning}>{t(`modeText.${source.mode}`)}</p>
        </div>
      )}
    </>
  )
}

const EXAMPLE = 'www 300 IN A 203.0.113.10\n@   300 IN MX 10 mail.example.net.'

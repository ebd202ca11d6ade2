import { type Caption, type CaptionKind, CaptionInput, LIMITS, streamCaptions } from '@fairway/contract'
import { isCaptionProblem, readCaptions } from '@fairway/domain'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { validationText } from '../../i18n/validation.ts'
import { base64Of } from '../../ui/forms/base64-of.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import { Upload } from '../../ui/forms/upload.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { languageName, languageOfFile } from './language-name.ts'
import classes from './stream-captions.module.css'

type Props = { opened: boolean; asset: string; caption: Caption | null; onClose: () => void; onDone: () => void }
type Chosen = { name: string; data: string; cues: number; problem: string | null }

const KINDS = ['subtitles', 'captions', 'forced'] as const satisfies CaptionKind[]
const TOO_LARGE = 'code:30022'
const LABEL = CaptionInput.shape.label
const LANGUAGE = CaptionInput.shape.language

/** New captions, or those there are: the file is read here as the API reads it, so that its mistakes are seen at once. */
export function CaptionDrawer({ opened, asset, caption, onClose, onDone }: Props) {
  const { t } = useTranslation(['stream-captions', 'shell', 'validation', 'errors'])
  const format = useFormat()
  const show = useSnackbar()
  const [language, setLanguage] = useState(caption?.language ?? '')
  const [typedLabel, setTypedLabel] = useState<string | null>(caption?.label ?? null)
  const [kind, setKind] = useState<CaptionKind>(caption?.kind ?? 'subtitles')
  const [isDefault, setDefault] = useState(caption?.isDefault ?? false)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const label = typedLabel ?? languageName(language, language.trim())
  const done = ({ label: name }: Caption) => {
    show('stream-captions', { message: t(caption === null ? 'added' : 'changed', { name }) })
    onDone()
    onClose()
  }
  const create = useChange(streamCaptions.routes.create, { subject: null, onDone: done })
  const update = useChange(streamCaptions.routes.update, { subject: null, onDone: done })
  const failed = create.error ?? update.error
  const take = async (file: File) => {
    create.reset()
    update.reset()
    if (file.size > LIMITS.captions.bytes) return setChosen({ name: file.name, data: '', cues: 0, problem: TOO_LARGE })
    const bytes = new Uint8Array(await file.arrayBuffer())
    const read = readCaptions(bytes)
    setChosen(
      isCaptionProblem(read)
        ? { name: file.name, data: '', cues: 0, problem: `${read.fault}:${format.number(read.line)}` }
        : { name: file.name, data: base64Of(bytes), cues: read.cues, problem: null },
    )
    if (language === '') setLanguage(languageOfFile(file.name))
  }
  const isKnown = LANGUAGE.safeParse(language).success
  const isNamed = LABEL.safeParse(label).success
  const isWhole = chosen === null ? caption !== null : chosen.problem === null
  const isReady = isKnown && isNamed && isWhole
  const save = () => {
    if (!isReady) return
    const file = chosen === null ? {} : { file: chosen.data }
    const named = { asset, language, label, kind, isDefault }
    if (caption !== null) update.mutate({ ...named, id: caption.id, ...file })
    else if (chosen !== null) create.mutate({ ...named, file: chosen.data })
  }
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      title={t(caption === null ? 'add' : 'changeTitle', { name: caption?.label })}
      keepOpen={chosen !== null}
      onSubmit={save}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={create.isPending || update.isPending} disabled={!isReady}>
            {t(caption === null ? 'add' : 'save')}
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        {failed && <FailureNotice title={t('notSaved')} error={failed} />}
        <Upload
          text={t(caption === null ? 'drop' : 'dropOther')}
          verb={t('choose')}
          accept=".vtt,.srt"
          onFile={(file) => void take(file)}
        />
        {chosen?.problem === null && (
          <Notice tone="info">{t('chosen', { name: chosen.name, count: chosen.cues })}</Notice>
        )}
        {chosen !== null && chosen.problem !== null && (
          <Notice tone="bad" title={chosen.name}>
            {validationText(t, chosen.problem)}
          </Notice>
        )}
        <TextInput
          label={t('language')}
          description={languageName(language, format.language) || t('languageHint')}
          placeholder="en, pt-BR, zh-Hant"
          maxLength={35}
          value={language}
          error={language === '' || isKnown ? null : t('validation:language')}
          onChange={({ currentTarget: { value } }) => setLanguage(value)}
          required
        />
        <TextInput
          label={t('label')}
          description={t('labelHint')}
          maxLength={80}
          value={label}
          error={label === '' || isNamed ? null : t('validation:invalid')}
          onChange={({ currentTarget: { value } }) => setTypedLabel(value)}
          required
        />
        <div className={classes.kind}>
          <Segmented
            label={t('kindLabel')}
            value={kind}
            onChange={setKind}
            options={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
          />
          <p className={classes.quiet}>{t(`kindText.${kind}`)}</p>
        </div>
        <SwitchRow label={t('default')} text={t('defaultText')} checked={isDefault} onChange={setDefault} />
      </div>
    </SideDrawer>
  )
}

import { StrategyInput } from '@fairway/contract'
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldProblem } from '../../../api/api-error.ts'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { Copy } from '../../../ui/marks/copy.tsx'
import classes from '../list/text-dialog.module.css'
import { readWritten } from '../strategy-text.ts'
import { TextProblems } from '../text-problems.tsx'
import type { StrategyDraft } from './strategy-draft.ts'

/** A field that is not known was mistyped: it would be lost without a word. */
const Written = StrategyInput.strict()

type DraftTextDialogProps = { draft: StrategyDraft; onClose: () => void; onApply: (written: StrategyInput) => void }

/** The draft as the JSON that the API takes; what is written fills the form, which saves it or not. */
export function DraftTextDialog({ draft, onClose, onApply }: DraftTextDialogProps) {
  const { t } = useTranslation(['routing-strategies', 'shell'])
  const [text, setText] = useState(() => JSON.stringify(draft, null, 2))
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const apply = () => {
    const read = readWritten(Written, text)
    setProblems(read.problems)
    if (read.value) onApply(read.value)
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('draftText.title')}
      size={720}
      tall
      footer={
        <>
          <Copy value={text} name={t('draftText.copied')} />
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button onClick={apply}>{t('draftText.apply')}</Button>
        </>
      }
    >
      <div className={classes.root}>
        <p className={classes.about}>{t('draftText.about')}</p>
        <Textarea
          aria-label={t('draftText.label')}
          classNames={{ input: classes.code }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          rows={22}
          spellCheck={false}
          error={problems.length > 0}
        />
        <TextProblems problems={problems} />
      </div>
    </Dialog>
  )
}

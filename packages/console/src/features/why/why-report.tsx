import type { Explanation } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconBraces, IconLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { WhyAnswerCard } from './why-answer.tsx'
import { WhyOtherwise } from './why-otherwise.tsx'
import { WhyOutages } from './why-outages.tsx'
import { WhySteps } from './why-steps.tsx'
import classes from './why-report.module.css'

type WhyReportProps = {
  explanation: Explanation
  dimmed?: boolean
  /** A draft was decided, not what is live: there is no link or command that shows the same. */
  draft?: boolean
}

/**
 * A decision taken apart: who asked, what they got, every strategy read and every CDN compared, and what would have
 * changed it.
 */
export function WhyReport({ explanation, dimmed = false, draft = false }: WhyReportProps) {
  const { t } = useTranslation('why-panel')
  const { decision, visitor, name, by } = explanation
  const copy = useCopyText()
  return (
    <div className={classes.report} data-dimmed={dimmed || undefined}>
      {by === 'api' && <Notice tone="warn">{t('byApi')}</Notice>}
      {decision.trace.scoresStale && (
        <Notice tone="warn" title={t('stale')}>
          {t('staleText')}
        </Notice>
      )}
      <WhyAnswerCard explanation={explanation} />
      <WhyOutages outages={explanation.outages} />
      <WhyOtherwise list={explanation.otherwise} />
      <WhySteps trace={decision.trace} />
      <div className={classes.actions}>
        {!draft && (
          <Button
            variant="default"
            leftSection={<IconLink size={15} stroke={1.65} />}
            onClick={() => copy(window.location.href, t('linkCopied'))}
          >
            {t('copyLink')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconBraces size={15} stroke={1.65} />}
          onClick={() => copy(JSON.stringify(explanation, null, 2), t('jsonCopied'))}
        >
          {t('copyJson')}
        </Button>
      </div>
      {!draft && <CodeSnippet label={t('command')} code={`fairway why ${name} --client ${visitor.address}`} />}
    </div>
  )
}

function useCopyText() {
  const { t } = useTranslation('shell')
  const show = useSnackbar()
  return (text: string, said: string) =>
    void navigator.clipboard.writeText(text).then(
      () => show('copy', { message: said }),
      () => show('copy', { message: t('cannotCopy'), tone: 'bad' }),
    )
}

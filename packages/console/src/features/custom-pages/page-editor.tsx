import { LIMITS, type PageKind, type PageProblem } from '@fairway/contract'
import { PAGE_BOXES, PAGE_TOKENS } from '@fairway/domain'
import { UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Upload } from '../../ui/forms/upload.tsx'
import classes from './custom-pages.module.css'

type PageEditorProps = {
  kind: PageKind
  html: string
  problems: readonly PageProblem[]
  bytes: number
  readOnly?: boolean
  onHtml: (html: string, fileName?: string) => void
}

/** The text of a page with its lines, what is wrong with it, and the tokens it may hold. */
export function PageEditor({ kind, html, problems, bytes, readOnly = false, onHtml }: PageEditorProps) {
  const { t } = useTranslation('custom-pages')
  const format = useFormat()
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const gutter = useRef<HTMLPreElement>(null)
  const lines = html.split('\n')
  const insert = (token: string) => {
    const at = area.current?.selectionEnd ?? html.length
    onHtml(`${html.slice(0, at)}${token}${html.slice(at)}`)
    area.current?.focus()
  }
  const jump = ({ line, column, text }: PageProblem) => {
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1
    area.current?.focus()
    area.current?.setSelectionRange(start, start + text.length)
    if (area.current) area.current.scrollTop = Math.max(0, (line - 4) * LINE_PX)
  }
  const isTooLarge = bytes > LIMITS.customPageBytes
  return (
    <div className={classes.form}>
      {!readOnly && (
        <Upload
          text={t('editor.drop')}
          verb={t('editor.choose')}
          accept=".html,.htm,.txt,text/html,text/plain"
          onFile={(file) => void file.text().then((text) => onHtml(text, file.name))}
        />
      )}
      <div className={classes.group}>
        <div className={classes.bar}>
          <label className={classes.label} htmlFor={id}>
            {t('editor.text')}
          </label>
          <span className={classes.quiet} data-bad={isTooLarge || undefined}>
            {t('editor.size', { size: format.bytes(bytes), most: format.bytes(LIMITS.customPageBytes) })}
          </span>
        </div>
        <div className={classes.editor}>
          <pre className={classes.gutter} ref={gutter} aria-hidden>
            {lines.map((_, index) => index + 1).join('\n')}
          </pre>
          <textarea
            id={id}
            ref={area}
            className={classes.text}
            value={html}
            readOnly={readOnly}
            wrap="off"
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => onHtml(event.currentTarget.value)}
            aria-describedby={`${id}-problems`}
            onScroll={(event) => {
              if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop
            }}
          />
        </div>
      </div>
      <ul className={classes.problems} id={`${id}-problems`} aria-label={t('problem.label')}>
        {html !== '' && problems.length === 0 && (
          <li className={classes.good}>
            <IconCircleCheck size={16} stroke={1.8} aria-hidden />
            {t('problem.none')}
          </li>
        )}
        {problems.slice(0, SHOWN).map((problem) => (
          <li key={`${problem.line} ${problem.column} ${problem.code}`}>
            <UnstyledButton className={classes.problem} data-level={problem.level} onClick={() => jump(problem)}>
              {problem.level === 'error' ? (
                <IconCircleX size={16} stroke={1.8} aria-hidden />
              ) : (
                <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
              )}
              <span className={classes.place}>{t('problem.line', { line: problem.line })}</span>
              <span>{t(`problem.${problem.code}`, { text: problem.text })}</span>
            </UnstyledButton>
          </li>
        ))}
        {problems.length > SHOWN && (
          <li className={classes.quiet}>{t('problem.more', { count: problems.length - SHOWN })}</li>
        )}
      </ul>
      <div className={classes.group}>
        <span className={classes.label}>{t('token.title')}</span>
        <ul className={classes.tokens}>
          {[PAGE_BOXES[kind] ?? [], Object.keys(PAGE_TOKENS)].flat().map((name) => (
            <li key={name}>
              <UnstyledButton
                className={classes.token}
                disabled={readOnly}
                onClick={() => insert(`::${name}::`)}
                title={t('token.insert', { token: `::${name}::` })}
              >
                <code>{`::${name}::`}</code>
                <span>
                  {t(`token.${name}`)}
                  {isNeeded(kind, name) && ` · ${t('token.needed')}`}
                </span>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** A page of this kind cannot do without it. */
const isNeeded = (kind: PageKind, name: string): boolean =>
  name === PAGE_BOXES[kind] || (name === 'REQUEST_ID' && (kind === 'errors' || kind === 'blocked'))

const SHOWN = 8
/** Height of a line of the editor. */
const LINE_PX = 18

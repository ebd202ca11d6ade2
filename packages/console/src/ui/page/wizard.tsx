import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './wizard.module.css'

export type WizardStep = {
  key: string
  title: string
  /** What was chosen there. */
  detail?: ReactNode
  state: 'done' | 'current' | 'todo'
  /** A link around the title, for steps that may be gone back to. */
  link?: (content: ReactNode) => ReactNode
}

type WizardProps = { label: string; steps: readonly WizardStep[]; children: ReactNode; footer?: ReactNode }

/** Steps at the left with what was chosen under each, the current one's cards at the right, Back and Continue below. */
export function Wizard({ label, steps, children, footer }: WizardProps) {
  return (
    <div className={classes.wizard}>
      <nav className={classes.steps} aria-label={label}>
        <ol className={classes.list}>
          {steps.map(({ key, title, detail, state, link }, index) => {
            const content = (
              <>
                <span className={classes.mark} aria-hidden>
                  {state === 'done' ? <IconCheck size={14} stroke={2.2} /> : index + 1}
                </span>
                <span className={classes.title}>{title}</span>
              </>
            )
            return (
              <li
                key={key}
                className={classes.step}
                data-state={state}
                aria-current={state === 'current' ? 'step' : undefined}
              >
                {link ? (
                  link(<span className={classes.line}>{content}</span>)
                ) : (
                  <span className={classes.line}>{content}</span>
                )}
                {detail !== undefined && <span className={classes.detail}>{detail}</span>}
              </li>
            )
          })}
        </ol>
      </nav>
      <div className={classes.content}>
        {children}
        {footer !== undefined && <div className={classes.foot}>{footer}</div>}
      </div>
    </div>
  )
}

/** Pushes what follows in the foot to the right. */
export function WizardGap() {
  return <span className={classes.gap} />
}

import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './layer.module.css'
import { LeaveConfirm, LeaveGuard } from './leave-guard.tsx'

type SideDrawerProps = {
  opened: boolean
  onClose: () => void
  title: ReactNode
  /** 480; 720 with a diff or code. */
  size?: 480 | 720
  /**
   * While something is typed in: a click beside it or Esc does not throw it away, and whoever leaves otherwise is asked.
   * `quietly`: nothing that could be lost is typed.
   */
  keepOpen?: boolean | 'quietly'
  /** Makes the drawer a form; Ctrl Enter submits from anywhere in it. */
  onSubmit?: () => void
  /** Left end of the foot, for example *Add another*. */
  beside?: ReactNode
  /** Buttons of the foot: secondary first, the primary one last. */
  footer?: ReactNode
  children: ReactNode
}

/** The layer at the right for a form or a detail: head, scrolling body, sticky foot. Full width on a phone. */
export function SideDrawer({
  opened,
  onClose,
  title,
  size = 480,
  keepOpen = false,
  onSubmit,
  beside,
  footer,
  children,
}: SideDrawerProps) {
  const { t } = useTranslation('shell')
  const isNarrow = useMediaQuery('(max-width: 639px)')
  const [isAsking, setAsking] = useState(false)
  const isTyped = opened && keepOpen === true
  const inside = (
    <>
      <div className={classes.head}>
        <Drawer.Title className={classes.title}>{title}</Drawer.Title>
        <Drawer.CloseButton className={classes.close} aria-label={t('close')} />
      </div>
      <div className={classes.drawerBody}>{children}</div>
      {footer !== undefined && (
        <div className={classes.foot}>
          {beside}
          <div className={classes.buttons}>{footer}</div>
        </div>
      )}
    </>
  )
  return (
    <Drawer.Root
      opened={opened}
      onClose={() => (isTyped ? setAsking(true) : onClose())}
      size={isNarrow ? '100%' : size}
      position="right"
      closeOnClickOutside={keepOpen === false}
      closeOnEscape={keepOpen === false}
    >
      <Drawer.Overlay className={classes.overlay} />
      <Drawer.Content classNames={{ content: classes.drawer }}>
        {onSubmit ? (
          <form
            className={classes.column}
            noValidate
            onSubmit={(event) => submit(event, onSubmit)}
            onKeyDown={(event) => submitOnCtrlEnter(event, onSubmit)}
          >
            {inside}
          </form>
        ) : (
          <div className={classes.column}>{inside}</div>
        )}
        {isTyped && (
          <>
            <LeaveGuard when isLayer />
            <LeaveConfirm
              opened={isAsking}
              onStay={() => setAsking(false)}
              onLeave={() => {
                setAsking(false)
                onClose()
              }}
            />
          </>
        )}
      </Drawer.Content>
    </Drawer.Root>
  )
}

function submit(event: FormEvent<HTMLFormElement>, onSubmit: () => void): void {
  event.preventDefault()
  onSubmit()
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>, submit: () => void): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  submit()
}

import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconDots, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CellSwitch } from '../../ui/data-table/cell-controls.tsx'
import classes from './path-rules.module.css'

export type PathRule = {
  id: string
  name: string
  enabled: boolean
  path: string
  /** What it does, in a few words. */ does: string
}
type PathRulesProps = {
  label: string
  rules: readonly PathRule[]
  /** A link around the name. */ link: (rule: PathRule) => ReactNode
  /** Absent for those who may only look. */
  edit?: {
    flip: (rule: PathRule, on: boolean) => void
    remove: (rule: PathRule) => void
    order: (ids: string[]) => void
  }
}

/** Rules about paths, in the order in which they are read: the first one that is about a path decides. */
export function PathRules({ label, rules, link, edit }: PathRulesProps) {
  const { t } = useTranslation('web-security')
  return (
    <ol className={classes.list} aria-label={label}>
      {rules.map((rule, index) => (
        <li key={rule.id} className={classes.row} data-off={!rule.enabled || undefined}>
          <span className={`${classes.number} num`} aria-hidden="true">
            {index + 1}
          </span>
          <div className={classes.main}>
            <p className={classes.name}>{link(rule)}</p>
            <p className={classes.path} title={rule.path}>
              {rule.path}
            </p>
          </div>
          <p className={classes.does}>{rule.does}</p>
          <CellSwitch
            checked={rule.enabled}
            disabled={!edit}
            aria-label={t('switch', { name: rule.name })}
            onChange={(event) => edit?.flip(rule, event.currentTarget.checked)}
          />
          {edit && <RowMenu rule={rule} index={index} rules={rules} edit={edit} />}
        </li>
      ))}
    </ol>
  )
}

type RowMenuProps = {
  rule: PathRule
  index: number
  rules: readonly PathRule[]
  edit: NonNullable<PathRulesProps['edit']>
}

function RowMenu({ rule, index, rules, edit }: RowMenuProps) {
  const { t } = useTranslation('web-security')
  const moveTo = (to: number) => {
    const ids = rules.map(({ id }) => id).filter((id) => id !== rule.id)
    ids.splice(to, 0, rule.id)
    edit.order(ids)
  }
  return (
    <Menu position="bottom-end" width={190}>
      <Menu.Target>
        <ActionIcon aria-label={t('menu', { name: rule.name })}>
          <IconDots size={16} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('menu', { name: rule.name })}>
        <Menu.Item
          leftSection={<IconArrowUp size={15} stroke={1.65} />}
          disabled={index === 0}
          onClick={() => moveTo(index - 1)}
        >
          {t('moveUp')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowDown size={15} stroke={1.65} />}
          disabled={index === rules.length - 1}
          onClick={() => moveTo(index + 1)}
        >
          {t('moveDown')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={15} stroke={1.65} />} onClick={() => edit.remove(rule)}>
          {t('remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconCopyPlus, IconDots, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ListedRule, RuleVerbs } from './listed-rule.ts'

type RuleMenuProps<Rule> = {
  rule: Rule
  position: number
  total: number
  verbs: RuleVerbs<Rule>
  onMove?: (to: number) => void
}

export function RuleMenu<Rule extends ListedRule>({ rule, position, total, verbs, onMove }: RuleMenuProps<Rule>) {
  const { t } = useTranslation('firewall-rules')
  const { name } = rule
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <ActionIcon aria-label={t('menu', { name })}>
          <IconDots size={16} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('menu', { name })}>
        {onMove && (
          <>
            <Menu.Item
              leftSection={<IconArrowUp size={15} stroke={1.65} />}
              rightSection={<kbd>Alt ↑</kbd>}
              disabled={position === 1}
              onClick={() => onMove(position - 2)}
            >
              {t('moveUp')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowDown size={15} stroke={1.65} />}
              rightSection={<kbd>Alt ↓</kbd>}
              disabled={position === total}
              onClick={() => onMove(position)}
            >
              {t('moveDown')}
            </Menu.Item>
          </>
        )}
        {verbs.onClone && (
          <Menu.Item leftSection={<IconCopy size={15} stroke={1.65} />} onClick={() => verbs.onClone?.(rule)}>
            {t('clone')}
          </Menu.Item>
        )}
        {verbs.onCopy && (
          <Menu.Item leftSection={<IconCopyPlus size={15} stroke={1.65} />} onClick={() => verbs.onCopy?.(rule)}>
            {t('copy')}
          </Menu.Item>
        )}
        {(onMove || verbs.onClone) && <Menu.Divider />}
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={15} stroke={1.65} />}
          onClick={() => verbs.onRemove?.(rule)}
        >
          {t('remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

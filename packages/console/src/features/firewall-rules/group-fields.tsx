import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { DEEPEST, type Group, type Item, isGroup, newCondition } from './expression-tree.ts'
import classes from './editor.module.css'

type GroupFieldsProps = { group: Group; onChange: (group: Group) => void; onRemove?: () => void; depth?: number }

/** All of, or any of: conditions, and groups in it. */
export function GroupFields({ group, onChange, onRemove, depth = 1 }: GroupFieldsProps) {
  const { t } = useTranslation('firewall-rules')
  const items = (next: Item[]) => {
    // A group of nothing says nothing; only the outermost may be one.
    if (next.length === 0 && onRemove) onRemove()
    else onChange({ ...group, items: next })
  }
  const put = (at: number, item: Item) => items(group.items.map((one, index) => (index === at ? item : one)))
  const removed = (at: number) => items(group.items.filter((_, index) => index !== at))
  return (
    <div
      className={classes.group}
      role="group"
      aria-label={t(`group.${group.kind}`)}
      data-inner={depth > 1 || undefined}
    >
      {(group.items.length > 1 || depth > 1) && (
        <Segmented
          label={t('group.label')}
          value={group.kind}
          onChange={(kind) => onChange({ ...group, kind })}
          options={[
            { value: 'all', label: t('group.all') },
            { value: 'any', label: t('group.any') },
          ]}
        />
      )}
      {group.items.length === 0 && <p className={classes.quiet}>{t('everyRequest')}</p>}
      {group.items.map((item, at) =>
        isGroup(item) ? (
          // Conditions have no names: what stands where is all that tells them apart.
          <GroupFields
            key={at}
            group={item}
            depth={depth + 1}
            onChange={(next) => put(at, next)}
            onRemove={() => removed(at)}
          />
        ) : (
          <ConditionFields
            key={at}
            condition={item}
            number={at + 1}
            onChange={(next) => put(at, next)}
            onRemove={() => removed(at)}
          />
        ),
      )}
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          disabled={group.items.length >= 50}
          onClick={() => items([...group.items, newCondition()])}
        >
          {t('addCondition')}
        </Button>
        {depth < DEEPEST && group.items.length > 0 && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            disabled={group.items.length >= 50}
            onClick={() =>
              items([...group.items, { kind: group.kind === 'all' ? 'any' : 'all', items: [newCondition()] }])
            }
          >
            {t('addGroup')}
          </Button>
        )}
        {onRemove && (
          <Button variant="subtle" size="xs" color="red" onClick={onRemove}>
            {t('removeGroup')}
          </Button>
        )}
      </div>
    </div>
  )
}

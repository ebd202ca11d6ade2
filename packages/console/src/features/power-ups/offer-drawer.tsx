import {
  CDN_CATEGORIES,
  type CdnOffer,
  CdnOfferInput,
  REVIEWED_CATEGORIES,
  cdnSlug,
  operatorArea,
  powerUps,
} from '@fairway/contract'
import { Button, MultiSelect, Select, Switch, TextInput, Textarea } from '@mantine/core'
import { Controller, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useRead } from '../../api/queries.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { useRefreshing } from '../operator/use-refreshing.ts'
import classes from './power-ups.module.css'

const PATH = '/operator/v2/cdn-offers/'
const DRIVERS = ['fairway-edge', 'simulated', 'custom'] as const
const SIMULATED = ['swiftlane', 'polaris', 'tidewater']
const LANGUAGES = ['en', 'zhHant', 'zhHans'] as const
type Fields = Pick<CdnOfferInput, 'name' | 'driver' | 'category' | 'review' | 'planIds' | 'offered'> & {
  slug: string
  cname: string
  referenceUrl: string
  en: string
  zhHant: string
  zhHans: string
}

const empty = z.literal('')
const text = z.string().max(1000)
/**
 * Empty fields are none; an introduction is there in all languages or in none. Holds because the contract's schema has
 * these fields.
 */
const schema = z.object({
  ...CdnOfferInput.pick({ name: true, driver: true, category: true, review: true, planIds: true, offered: true }).shape,
  slug: z.string(),
  cname: z.union([empty, CdnOfferInput.shape.cname.unwrap().unwrap()]),
  referenceUrl: z.union([empty, CdnOfferInput.shape.referenceUrl.unwrap().unwrap()]),
  en: text,
  zhHant: text,
  zhHans: text,
}) as z.ZodType<unknown, Fields>

type OfferDrawerProps = { opened: boolean; offer: CdnOffer | null; onClose: () => void }

/** One offer: how it is reached, how it shows itself, who may have it. */
export function OfferDrawer({ opened, offer, onClose }: OfferDrawerProps) {
  const { t } = useTranslation(['power-ups', 'shell'])
  const show = useSnackbar()
  const form = useZodForm<Fields>(schema, {
    name: offer?.name ?? '',
    driver: offer?.driver ?? 'fairway-edge',
    category: offer?.category ?? 'global-cdn',
    review: offer?.review ?? false,
    planIds: offer?.planIds ?? [],
    offered: offer?.offered ?? true,
    slug: offer?.driver === 'simulated' ? offer.slug : '',
    cname: offer?.cname ?? '',
    referenceUrl: offer?.referenceUrl ?? '',
    en: offer?.introduction?.en ?? '',
    zhHant: offer?.introduction?.zhHant ?? '',
    zhHans: offer?.introduction?.zhHans ?? '',
  })
  const { driver, category } = useWatch({ control: form.control })
  const isAlwaysReviewed = REVIEWED_CATEGORIES.some((one) => one === category)
  const { data: plans } = useRead(operatorArea.routes.plans, {}, { enabled: opened })
  const done = (name: string, word: 'saved' | 'removed') => {
    show('offer', { message: t(word === 'saved' ? 'power-ups:offers.saved' : 'power-ups:offers.removed', { name }) })
    form.reset()
    onClose()
  }
  const save = useRefreshing(powerUps.routes.setOffer, PATH, ({ name }) => done(name, 'saved'), { ownError: true })
  const remove = useRefreshing(powerUps.routes.removeOffer, PATH, () => done(offer?.name ?? '', 'removed'), {
    ownError: true,
  })
  const submit = form.handleSubmit(({ en, zhHant, zhHans, slug, cname, referenceUrl, ...values }) => {
    const words = [en, zhHant, zhHans].filter((one) => one.trim() !== '')
    const introduction =
      words.length === 0
        ? null
        : { en: en || (words[0] ?? ''), zhHant: zhHant || (words[0] ?? ''), zhHans: zhHans || (words[0] ?? '') }
    save.mutate(
      {
        offer: offer?.id ?? `offer-${cdnSlug(values.name)}`.slice(0, 39),
        ...values,
        introduction,
        slug: slug || null,
        cname: cname || null,
        referenceUrl: referenceUrl || null,
      },
      { onError: (error) => void form.takeFieldErrors(error) },
    )
  })
  const used = (offer?.installs ?? 0) > 0
  const error = save.error ?? remove.error
  const problem = (name: 'slug' | 'cname') => form.problem(name)
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      title={offer ? t('power-ups:offers.edit', { name: offer.name }) : t('power-ups:offers.add')}
      keepOpen={form.formState.isDirty}
      onSubmit={() => void submit()}
      beside={
        offer !== null &&
        !used && (
          <Button
            variant="subtle"
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate({ offer: offer.id })}
          >
            {t('power-ups:offers.remove')}
          </Button>
        )
      }
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('power-ups:offers.save')}
          </Button>
        </>
      }
    >
      <div className={classes.stack}>
        {error && <FailureNotice title={t('power-ups:offers.notSaved')} error={error} />}
        {used && <Notice tone="info">{t('power-ups:offers.used', { count: offer?.installs ?? 0 })}</Notice>}
        <TextInput
          label={t('power-ups:column.name')}
          maxLength={60}
          error={form.problem('name')}
          data-autofocus
          {...form.register('name')}
        />
        <Controller
          control={form.control}
          name="category"
          render={({ field }) => (
            <Select
              label={t('power-ups:column.category')}
              allowDeselect={false}
              data={CDN_CATEGORIES.map((value) => ({ value, label: t(`power-ups:category.${value}`) }))}
              {...field}
            />
          )}
        />
        <Controller
          control={form.control}
          name="driver"
          render={({ field }) => (
            <Select
              label={t('power-ups:offers.driver')}
              description={t('power-ups:offers.driverHelp')}
              allowDeselect={false}
              disabled={used}
              data={DRIVERS.map((value) => ({ value, label: t(`power-ups:offers.drivers.${value}`) }))}
              {...field}
            />
          )}
        />
        {driver === 'simulated' && (
          <Controller
            control={form.control}
            name="slug"
            render={({ field }) => (
              <Select
                label={t('power-ups:offers.simulated')}
                disabled={used}
                data={SIMULATED}
                error={problem('slug')}
                {...field}
                onChange={(value) => field.onChange(value ?? '')}
              />
            )}
          />
        )}
        {driver === 'custom' && (
          <TextInput
            label={t('power-ups:custom.cname')}
            placeholder="customer.cdn.example"
            spellCheck={false}
            disabled={used}
            error={problem('cname')}
            {...form.register('cname')}
          />
        )}
        <Controller
          control={form.control}
          name="review"
          render={({ field: { value, ...field } }) => (
            <Switch
              label={t('power-ups:offers.reviewHelp')}
              description={isAlwaysReviewed && t('power-ups:offers.alwaysReviewed')}
              checked={value || isAlwaysReviewed}
              {...field}
              disabled={isAlwaysReviewed}
            />
          )}
        />
        <Controller
          control={form.control}
          name="planIds"
          render={({ field }) => (
            <MultiSelect
              label={t('power-ups:offers.plans')}
              description={t('power-ups:offers.plansHelp')}
              clearable
              data={(plans?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
              {...field}
              value={[...field.value]}
            />
          )}
        />
        {LANGUAGES.map((language) => (
          <Textarea
            key={language}
            label={t(`power-ups:offers.introduction.${language}`)}
            autosize
            minRows={2}
            maxRows={6}
            maxLength={1000}
            error={form.problem(language)}
            {...form.register(language)}
          />
        ))}
        <TextInput
          label={t('power-ups:custom.referenceUrl')}
          placeholder="https://"
          type="url"
          error={form.problem('referenceUrl')}
          {...form.register('referenceUrl')}
        />
        <Controller
          control={form.control}
          name="offered"
          render={({ field: { value, ...field } }) => (
            <Switch label={t('power-ups:offers.offered')} checked={value} {...field} />
          )}
        />
      </div>
    </SideDrawer>
  )
}

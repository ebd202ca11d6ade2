import {
  type CSSVariablesResolver,
  type VariantColorsResolver,
  createTheme,
  defaultVariantColorsResolver,
} from '@mantine/core'
import type {
  ActionIconProps,
  ButtonProps,
  CheckboxProps,
  DrawerProps,
  InputProps,
  InputWrapperProps,
  KbdProps,
  LoaderProps,
  MenuProps,
  ModalProps,
  NumberInputProps,
  PopoverProps,
  PortalProps,
  RadioProps,
  SegmentedControlProps,
  SelectProps,
  SkeletonProps,
  SwitchProps,
  TabsProps,
  TooltipProps,
} from '@mantine/core'
import looks from './theme.module.css'

/** Where everything that opens above the page is put. */
export const LAYERS_ID = 'layers'

const BREAKPOINTS = { xs: '30em', sm: '40em', md: '48em', lg: '64em', xl: '90em' }

/** Ten steps of the brand, mixed by the browser, so that a partner's colour needs no code. */
const brandSteps = () => {
  const light = [94, 88, 76, 60, 42, 20].map((white) => `color-mix(in oklab, var(--brand), white ${white}%)`)
  const dark = [12, 24, 38].map((black) => `color-mix(in oklab, var(--brand), black ${black}%)`)
  const [a = '', b = '', c = '', d = '', e = '', f = ''] = light
  const [h = '', i = '', j = ''] = dark
  return [a, b, c, d, e, f, 'var(--brand)', h, i, j] as const
}

/** The few looks a control may have, by tokens. Everything else stays Mantine's. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const danger = input.color === 'red'
  const edge = '1px solid transparent'
  if (input.variant === 'filled' && danger)
    return {
      background: 'var(--c-bad-fill)',
      hover: 'var(--c-bad-fill-hover)',
      color: 'var(--c-bad-ink)',
      border: edge,
    }
  if (input.variant === 'filled')
    return { background: 'var(--c-brand)', hover: 'var(--c-brand-hover)', color: 'var(--c-brand-ink)', border: edge }
  if (input.variant === 'light')
    return {
      background: 'var(--c-brand-soft)',
      hover: 'var(--c-brand-soft)',
      color: 'var(--c-brand-text)',
      border: edge,
    }
  if (input.variant === 'subtle' && danger)
    return { background: 'transparent', hover: 'var(--c-bad-soft)', color: 'var(--c-bad-text)', border: edge }
  if (input.variant === 'subtle')
    return { background: 'transparent', hover: 'var(--c-active)', color: 'var(--c-text-2)', border: edge }
  if (input.variant === 'default' && danger)
    return {
      background: 'var(--c-surface)',
      hover: 'var(--c-bad-soft)',
      color: 'var(--c-bad-text)',
      border: '1px solid var(--c-line-strong)',
    }
  if (input.variant === 'default')
    return {
      background: 'var(--c-surface)',
      hover: 'var(--c-hover)',
      color: 'var(--c-text)',
      border: '1px solid var(--c-line-strong)',
    }
  return defaultVariantColorsResolver(input)
}

const surfaces = {
  '--mantine-color-body': 'var(--c-surface)',
  '--mantine-color-text': 'var(--c-text)',
  '--mantine-color-bright': 'var(--c-text)',
  '--mantine-color-dimmed': 'var(--c-text-3)',
  '--mantine-color-placeholder': 'var(--c-text-3)',
  '--mantine-color-anchor': 'var(--c-brand-text)',
  '--mantine-color-default': 'var(--c-surface)',
  '--mantine-color-default-hover': 'var(--c-hover)',
  '--mantine-color-default-color': 'var(--c-text)',
  '--mantine-color-default-border': 'var(--c-line-strong)',
  '--mantine-color-disabled': 'var(--c-sunken)',
  '--mantine-color-disabled-color': 'var(--c-text-3)',
  '--mantine-color-disabled-border': 'var(--c-line)',
  '--mantine-color-error': 'var(--c-bad-text)',
  '--mantine-color-success': 'var(--c-ok-text)',
  '--mantine-primary-color-contrast': 'var(--c-brand-ink)',
  '--mantine-color-brand-text': 'var(--c-brand-text)',
  '--mantine-color-brand-filled': 'var(--c-brand)',
  '--mantine-color-brand-filled-hover': 'var(--c-brand-hover)',
  '--mantine-color-brand-light': 'var(--c-brand-soft)',
  '--mantine-color-brand-light-hover': 'var(--c-brand-soft)',
  '--mantine-color-brand-light-color': 'var(--c-brand-text)',
  '--mantine-color-brand-outline': 'var(--c-brand-line)',
  '--mantine-color-brand-outline-hover': 'var(--c-brand-soft)',
  '--mantine-color-red-6': 'var(--c-bad-text)',
  '--mantine-color-red-text': 'var(--c-bad-text)',
  '--mantine-color-red-light': 'var(--c-bad-soft)',
  '--mantine-color-red-light-color': 'var(--c-bad-text)',
}

/** Both schemes read the same tokens; the tokens know the scheme. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: surfaces, dark: surfaces })

/**
 * Looks of one component, checked against its props. Only types are imported, so that the theme does not carry every
 * component to every page.
 */
function looksOf<Props>(looks: { defaultProps?: Partial<Props>; classNames?: Record<string, string | undefined> }) {
  return looks
}

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: 6,
  colors: { brand: brandSteps() },
  variantColorResolver,
  fontFamily: 'var(--font-ui)',
  fontFamilyMonospace: 'var(--font-mono)',
  headings: { fontFamily: 'var(--font-ui)', fontWeight: '600' },
  fontSizes: {
    xs: 'var(--text-tiny)',
    sm: 'var(--text-body)',
    md: 'var(--text-body)',
    lg: 'var(--text-drawer)',
    xl: 'var(--text-page)',
  },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.45', lg: '1.4', xl: '1.3' },
  spacing: {
    xs: 'var(--space-1)',
    sm: 'var(--space-2)',
    md: 'var(--space-3)',
    lg: 'var(--space-4)',
    xl: 'var(--space-5)',
  },
  radius: {
    xs: 'var(--radius-tag)',
    sm: 'var(--radius-control)',
    md: 'var(--radius-popover)',
    lg: 'var(--radius-card)',
    xl: 'var(--radius-palette)',
  },
  defaultRadius: 'sm',
  shadows: {
    xs: 'var(--shadow-card)',
    sm: 'var(--shadow-card)',
    md: 'var(--shadow-popover)',
    lg: 'var(--shadow-layer)',
    xl: 'var(--shadow-layer)',
  },
  breakpoints: BREAKPOINTS,
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    ActionIcon: looksOf<ActionIconProps>({
      defaultProps: { variant: 'subtle', size: 28 },
      classNames: { root: looks.actionIcon },
    }),
    Button: looksOf<ButtonProps>({
      defaultProps: { size: 'sm' },
      classNames: { root: looks.button, section: looks.buttonSection },
    }),
    Checkbox: looksOf<CheckboxProps>({
      defaultProps: { size: 'xs', radius: 'xs' },
      classNames: {
        input: looks.checkbox,
        label: looks.checkLabel,
        description: looks.checkDescription,
        body: looks.checkBody,
      },
    }),
    Drawer: looksOf<DrawerProps>({
      defaultProps: { position: 'right', transitionProps: { duration: 160, transition: 'slide-left' } },
    }),
    Input: looksOf<InputProps>({
      defaultProps: { size: 'sm' },
      classNames: { input: looks.input, section: looks.inputSection },
    }),
    InputWrapper: looksOf<InputWrapperProps>({
      defaultProps: { size: 'sm', inputWrapperOrder: ['label', 'description', 'input', 'error'] },
      classNames: { label: looks.label, description: looks.description, error: looks.error, required: looks.required },
    }),
    Kbd: looksOf<KbdProps>({ classNames: { root: looks.kbd } }),
    Loader: looksOf<LoaderProps>({ defaultProps: { size: 16, color: 'var(--c-text-3)' } }),
    Menu: looksOf<MenuProps>({
      defaultProps: {
        withInitialFocusPlaceholder: false,
        shadow: 'md',
        radius: 'md',
        offset: 6,
        transitionProps: { duration: 100, transition: 'pop' },
      },
      classNames: {
        dropdown: looks.dropdown,
        item: looks.menuItem,
        itemIndicator: looks.menuIndicator,
        itemSection: looks.menuSection,
        label: looks.menuLabel,
        divider: looks.menuDivider,
      },
    }),
    Modal: looksOf<ModalProps>({
      defaultProps: {
        centered: true,
        radius: 'lg',
        transitionProps: { duration: 120, transition: 'pop' },
        overlayProps: { color: 'var(--c-scrim)', backgroundOpacity: 1 },
      },
    }),
    NumberInput: looksOf<NumberInputProps>({ defaultProps: { hideControls: true } }),
    Popover: looksOf<PopoverProps>({
      defaultProps: { shadow: 'md', radius: 'md', offset: 6, transitionProps: { duration: 100, transition: 'pop' } },
      classNames: { dropdown: looks.dropdown },
    }),
    Portal: looksOf<PortalProps>({ defaultProps: { target: `#${LAYERS_ID}` } }),
    Radio: looksOf<RadioProps>({
      defaultProps: { size: 'xs' },
      classNames: { label: looks.checkLabel, description: looks.checkDescription, body: looks.checkBody },
    }),
    SegmentedControl: looksOf<SegmentedControlProps>({
      defaultProps: { radius: 'sm', transitionDuration: 120 },
      classNames: {
        root: looks.segments,
        label: looks.segmentLabel,
        indicator: looks.segmentIndicator,
        control: looks.segment,
      },
    }),
    Select: looksOf<SelectProps>({
      defaultProps: {
        allowDeselect: false,
        withScrollArea: false,
        checkIconPosition: 'right',
        comboboxProps: { shadow: 'md', radius: 'md', offset: 4, transitionProps: { duration: 100, transition: 'pop' } },
      },
      classNames: { dropdown: looks.dropdown, options: looks.options, option: looks.option },
    }),
    Skeleton: looksOf<SkeletonProps>({ classNames: { root: looks.skeleton } }),
    Switch: looksOf<SwitchProps>({
      defaultProps: { size: 'xs', withThumbIndicator: true },
      classNames: {
        track: looks.switchTrack,
        thumb: looks.switchThumb,
        label: looks.checkLabel,
        description: looks.checkDescription,
        body: looks.checkBody,
      },
    }),
    Tabs: looksOf<TabsProps>({ classNames: { tab: looks.tab, list: looks.tabList } }),
    Tooltip: looksOf<TooltipProps>({
      defaultProps: {
        openDelay: 350,
        transitionProps: { duration: 90 },
        multiline: true,
        maw: 360,
        arrowSize: 6,
        withinPortal: true,
      },
      classNames: { tooltip: looks.tooltip },
    }),
  },
})

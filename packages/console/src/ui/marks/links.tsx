import { Button, type ButtonProps, Menu, type MenuItemProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type AsAnchor<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> }

/** A link that looks like a button: it leads to a page, so middle click works. */
export const LinkButton = createLink((props: AsAnchor<ButtonProps>) => <Button component="a" {...props} />)

/** An entry of a menu that leads to a page. */
export const LinkMenuItem = createLink((props: AsAnchor<MenuItemProps>) => <Menu.Item component="a" {...props} />)

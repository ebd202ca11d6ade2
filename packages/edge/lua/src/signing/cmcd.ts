const LONGEST = 1_500

/**
 * What a player says of itself with a request (CMCD, CTA-5004), in the query or in headers, is noted for the log and
 * taken off: it is in no key of the cache, and no origin sees it. How it was sent stands before it, for it is read later.
 */
export function takeCmcd(): void {
  const args = ngx.var.args ?? ''
  if (args.includes('CMCD=')) {
    const said = ngx.var.arg_cmcd ?? ''
    const [rest] = string.gsub(`&${args}`, '&CMCD=[^&]*', '')
    ngx.req.set_uri_args(rest.slice(1))
    if (said !== '') ngx.var.fw_cmcd = `query ${said.slice(0, LONGEST)}`
  }
  let said = ''
  const { http_cmcd_object: object, http_cmcd_request: request } = ngx.var
  const { http_cmcd_session: session, http_cmcd_status: status } = ngx.var
  if (object !== undefined) {
    said += `,${object}`
    ngx.req.clear_header('CMCD-Object')
  }
  if (request !== undefined) {
    said += `,${request}`
    ngx.req.clear_header('CMCD-Request')
  }
  if (session !== undefined) {
    said += `,${session}`
    ngx.req.clear_header('CMCD-Session')
  }
  if (status !== undefined) {
    said += `,${status}`
    ngx.req.clear_header('CMCD-Status')
  }
  if (said !== '') ngx.var.fw_cmcd = `header ${said.slice(1, LONGEST)}`
}

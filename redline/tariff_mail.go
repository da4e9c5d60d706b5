package redline

// mailTable: what is sent to people.
var mailTable = []Program{
	{Name: "mail", Also: []string{"mailx", "s-nail", "nail", "Mail", "mutt", "neomutt"}, Value: "-s -a -A -b -c -r -S -q -u -f -F -H -e -i -E -Q -h", Rows: []Row{
		{Target: some, kinds: outw, Why: "sends mail", Charged: `echo done | mail -s nightly team@example.test`, Free: `mail -f inbox`},
	}},
	{Name: "sendmail", Also: []string{"msmtp", "ssmtp", "exim", "swaks", "sendemail", "smtp-cli", "himalaya-send", "git-send-email"}, Rows: []Row{
		{Not: "--version --dry-run --pretend", When: func(l *line) bool {
			for _, a := range l.args {
				if either("-bp|-bv|-bt|-bi|-bd|-bV|-P|-q", a.text) {
					return false // the queue, an address, the daemon
				}
			}
			return true
		}, kinds: outw, Why: "sends mail", Charged: `sendmail -t < note.eml`, Free: `msmtp --version`},
	}},
	{Name: "himalaya", Rows: []Row{
		{Path: "message|template send|reply|forward", kinds: outw, Why: "sends mail", Charged: `himalaya message send < note.eml`, Free: `himalaya envelope list`},
		{Path: "send|reply|forward", kinds: outw, Why: "sends mail", Charged: `himalaya send < note.eml`, Free: `himalaya list`},
	}},
	{Name: "send-mailmessage", Style: cmdlet, Rows: []Row{
		{Not: "-whatif", kinds: outw, Why: "sends mail", Charged: `Send-MailMessage -To a@example.test -Subject x`, Free: `Send-MailMessage -WhatIf`},
	}},
	{Name: "slack", Also: []string{"slack-cli", "slackcat", "telegram-send", "signal-cli", "matrix-commander", "discord", "ntfy", "mattermost", "zulip-send", "apprise", "wall"}, Rows: []Row{
		{When: func(l *line) bool {
			switch l.name {
			case "slackcat", "telegram-send", "zulip-send", "matrix-commander", "apprise", "wall":
				return len(l.ops) > 0 || l.act.Stdin.Kind != 0
			}
			for _, a := range l.ops {
				if either("send|publish|pub|post|chat|message|upload|create|deploy|reply", a.text) {
					return true
				}
			}
			return false
		}, kinds: outw, Why: "sends a message", Charged: `ntfy publish nightly done`, Free: `ntfy subscribe nightly`},
	}},
	{Name: "twilio", Rows: []Row{
		{When: func(l *line) bool { return cloudOp(l) == opChange }, kinds: outw, Why: "sends a message", Charged: `twilio api:core:messages:create --to x`, Free: `twilio api:core:messages:list`},
	}},
	{Name: "stripe", Also: []string{"sendgrid", "postmark"}, Rows: []Row{
		{When: func(l *line) bool { o := cloudOp(l); return o == opChange || o == opDestroy }, kinds: outw, Why: "a request that writes", Charged: `stripe refunds create --charge ch_1`, Free: `stripe charges list`},
		{When: func(l *line) bool { return cloudOp(l) == opDestroy }, kinds: irr, Why: "a request that deletes", Charged: `stripe customers delete cus_1`, Free: `stripe customers retrieve cus_1`},
	}},
}

package redline

import "strings"

// infraTable: infrastructure as code, configuration management, secrets.
var infraTable = []Program{
	{Name: "terraform", Also: []string{"tofu", "terragrunt", "cdktf"}, Style: dash, Rows: []Row{
		{Path: "destroy", kinds: irr, Why: "destroys infrastructure", Charged: `terraform destroy -auto-approve`, Free: `terraform plan -destroy`},
		{Path: "apply", With: "-destroy", kinds: irr, Why: "destroys infrastructure", Charged: `terraform apply -destroy -auto-approve`, Free: `terraform apply -help`},
		{Path: "apply", Not: "-destroy", kinds: outw, Why: "changes infrastructure", Charged: `terraform apply -auto-approve tf.plan`, Free: `terraform plan -out=tf.plan`},
		{Path: "run-all|run|stack destroy", kinds: irr, Why: "destroys infrastructure", Charged: `terragrunt run-all destroy`, Free: `terragrunt run-all plan`},
		{Path: "run-all|run|stack apply|up|run", When: func(l *line) bool { return !(len(l.ops) > 0 && either("plan|destroy|output", l.op(0))) }, kinds: outw, Why: "changes infrastructure", Charged: `terragrunt run-all apply`, Free: `terragrunt run-all plan`},
		{Path: "destroy-all", kinds: irr, Why: "destroys infrastructure", Charged: `terragrunt destroy-all`, Free: `terragrunt plan-all`},
		{Path: "apply-all|deploy", kinds: outw, Why: "changes infrastructure", Charged: `terragrunt apply-all`, Free: `terragrunt plan-all`},
		{Path: "state rm|push|replace-provider", Not: "-dry-run", kinds: irr, Why: "rewrites the state", Charged: `terraform state rm module.cache`, Free: `terraform state list`},
		{Path: "workspace delete", kinds: irr, Why: "deletes a workspace", Charged: `terraform workspace delete old`, Free: `terraform workspace list`},
		{Path: "force-unlock", kinds: irr, Why: "takes somebody's lock away", Charged: `terraform force-unlock -force 1a2b`, Free: `terraform validate`},
		{Path: "import|taint|untaint", kinds: outw, Why: "changes the shared state", Charged: `terraform taint module.cache`, Free: `terraform show`},
	}},
	{Name: "pulumi", Value: "-s --stack -C --cwd -m --message -p --parallel -t --target", Rows: []Row{
		{Path: "destroy|down", Not: "--preview-only", kinds: irr, Why: "destroys infrastructure", Charged: `pulumi destroy --yes`, Free: `pulumi preview`},
		{Path: "up|update|import", Not: "--preview-only", kinds: outw, Why: "changes infrastructure", Charged: `pulumi up --yes`, Free: `pulumi preview --diff`},
		{Path: "stack rm", kinds: irr, Why: "deletes a stack with its history", Charged: `pulumi stack rm old --yes`, Free: `pulumi stack ls`},
		{Path: "state delete", kinds: irr, Why: "rewrites the state", Charged: `pulumi state delete urn:1`, Free: `pulumi stack export`},
	}},
	{Name: "cdk", Also: []string{"sst", "serverless", "sls", "sam", "eb", "copilot", "amplify", "chalice", "zappa", "up", "claudia", "architect", "arc"}, Value: "-s --stage -r --region -c --config --profile --context -a --app --stack-name --template-file -t --s3-bucket --parameter-overrides --capabilities", Rows: []Row{
		{Path: "destroy|remove|delete|terminate|undeploy", Not: "--dry-run", kinds: irr, Why: "destroys a stack", Charged: `cdk destroy --force`, Free: `cdk diff`},
		{Path: "env|svc|app|job|pipeline|task delete", kinds: irr, Why: "destroys a stack", Charged: `copilot app delete --yes`, Free: `copilot app ls`},
		{Path: "deploy|bootstrap|import|rollback|publish|push|create|update|setenv", Not: "--dry-run --no-execute-changeset", When: func(l *line) bool {
			return l.name != "up" || firstWord(l) == "deploy"
		}, kinds: outw, Why: "deploys a stack", Charged: `serverless deploy --stage prod`, Free: `serverless package`},
		{Path: "env|svc|app|job|pipeline deploy|init", Value: "-n --name -e --env", kinds: outw, Why: "deploys a stack", Charged: `copilot svc deploy -n api`, Free: `copilot svc status`},
	}},
	{Name: "ansible-playbook", Value: "-i --inventory -l --limit -e --extra-vars -t --tags --skip-tags -u --user -c --connection -f --forks --vault-password-file --vault-id --start-at-task --private-key -M --module-path", Rows: []Row{
		{Not: "-C --check --syntax-check --list-hosts --list-tasks --list-tags --version", Target: some, kinds: outw, Why: "changes other hosts", Charged: `ansible-playbook -i prod site.yml`, Free: `ansible-playbook --check site.yml`},
	}},
	{Name: "ansible", Value: "-i --inventory -m --module-name -a --args -l --limit -e --extra-vars -u --user -c --connection -f --forks", Rows: []Row{
		{Not: "-C --check --list-hosts --version", When: func(l *line) bool {
			m, ok := l.value("-m --module-name")
			return len(l.ops) > 0 && (!ok || !either("ping|setup|debug|stat|gather_facts|ansible.builtin.ping|ansible.builtin.setup|ansible.builtin.stat|ansible.builtin.debug|win_ping|fetch", m.text))
		}, kinds: outw, Why: "changes other hosts", Charged: `ansible web -m service -a name=nginx`, Free: `ansible all -m ping`},
	}},
	{Name: "salt", Also: []string{"knife", "pssh", "parallel-ssh", "fab", "cap", "mina", "kamal", "dokku", "capistrano", "nixos-rebuild-remote", "deployer", "dep", "pm2-deploy", "shipit"}, Value: "-c -e -t -h -l -u", Rows: []Row{
		{When: func(l *line) bool {
			switch l.name {
			case "salt", "pssh", "parallel-ssh":
				return len(l.ops) > 0 && !either("test.ping|grains.items|test.version", l.op(1))
			case "knife":
				return either("upload|bootstrap|ssh|create|edit|delete", l.op(1)) || either("upload|bootstrap|ssh", l.op(0))
			}
			for _, a := range l.ops {
				w := a.text[strings.LastIndexByte(a.text, ' ')+1:]
				if either("deploy|redeploy|rollback|setup|restart|production", w) || strings.HasPrefix(w, "deploy:") {
					return true
				}
			}
			return false
		}, kinds: outw, Why: "changes other hosts", Charged: `kamal deploy`, Free: `kamal details`},
		{When: func(l *line) bool { return either("remove|apps:destroy|destroy", l.op(0)) }, kinds: irr, Why: "removes from other hosts", Charged: `kamal remove`, Free: `kamal version`},
	}},
	{Name: "packer", Style: dash, Rows: []Row{
		{Path: "build", kinds: outw, Why: "builds an image in the cloud", Charged: `packer build web.pkr.hcl`, Free: `packer validate web.pkr.hcl`},
	}},
	{Name: "vagrant", Rows: []Row{
		{Path: "destroy", kinds: irr, Why: "destroys a machine", Charged: `vagrant destroy -f`, Free: `vagrant status`},
		{Path: "box|snapshot remove|delete|prune", Not: "-n --dry-run", kinds: irr, Why: "removes a box or a snapshot", Charged: `vagrant snapshot delete before`, Free: `vagrant snapshot list`},
		{Path: "push|cloud", kinds: outw, Why: "publishes", Charged: `vagrant push`, Free: `vagrant up`},
	}},
	{Name: "virsh", Also: []string{"lxc", "incus", "VBoxManage", "vboxmanage", "prlctl", "qm", "pct", "xe"}, Value: "-c --connect", Rows: []Row{
		{Path: "undefine|vol-delete|vol-wipe|pool-delete|snapshot-delete|delete|unregistervm|destroy", When: func(l *line) bool { return l.name != "virsh" || firstWord(l) != "destroy" }, kinds: irr, Why: "deletes a machine or its storage", Charged: `lxc delete web -f`, Free: `lxc list`},
		{Path: "storage|image|snapshot|volume|network delete", kinds: irr, Why: "deletes a machine's storage", Charged: `lxc storage delete pool`, Free: `lxc storage list`},
	}},
	{Name: "vault", Also: []string{"bao"}, Style: dash, Value: "-address -namespace -mount -token", Rows: []Row{
		{Path: "delete", kinds: irr, Why: "deletes a secret", Charged: `vault delete secret/shop`, Free: `vault read secret/shop`},
		{Path: "kv delete|destroy|metadata", When: func(l *line) bool { return l.op(0) != "get" && l.op(0) != "put" }, kinds: irr, Why: "deletes a secret", Charged: `vault kv destroy -versions=2 secret/shop`, Free: `vault kv get secret/shop`},
		{Path: "secrets|auth|lease|token disable|revoke", kinds: irr, Why: "takes an engine or a lease away", Charged: `vault secrets disable kv`, Free: `vault secrets list`},
		{Path: "write", kinds: outw, Why: "writes a shared secret", Charged: `vault write secret/shop key=x`, Free: `vault status`},
		{Path: "kv|secrets|auth|policy|operator put|patch|enable|tune|write|undelete|init|seal|unseal|rekey|step-down", kinds: outw, Why: "writes a shared secret", Charged: `vault kv put secret/shop key=x`, Free: `vault kv list secret/`},
	}},
	{Name: "consul", Style: dash, Value: "-http-addr -token", Rows: []Row{
		{Path: "kv delete", kinds: irr, Why: "deletes shared keys", Charged: `consul kv delete -recurse shop`, Free: `consul kv get shop/a`},
		{Path: "kv put|import", kinds: outw, Why: "writes shared keys", Charged: `consul kv put shop/a 1`, Free: `consul kv export shop`},
	}},
	{Name: "etcdctl", Value: "--endpoints --cacert --cert --key --user", Rows: []Row{
		{Path: "del|rm|rmdir", kinds: irr, Why: "deletes shared keys", Charged: `etcdctl del --prefix /shop`, Free: `etcdctl get /shop/a`},
		{Path: "put|set|mk|mkdir|update", When: func(l *line) bool {
			v, ok := l.value("--endpoints")
			return !ok || !isLoopback(hostOf(v.text))
		}, kinds: outw, Why: "writes shared keys", Charged: `etcdctl put /shop/a 1`, Free: `etcdctl --endpoints=http://localhost:2379 put /shop/a 1`},
	}},
	{Name: "op", Also: []string{"bw", "doppler", "infisical"}, Rows: []Row{
		{When: func(l *line) bool { return cloudOp(l) == opDestroy }, kinds: irr, Why: "deletes a secret", Charged: `op item delete shop`, Free: `op item get shop`},
		{Path: "item|document|vault|secrets|user|group create|edit|set|upload|share|grant|revoke", kinds: outw, Why: "writes a shared secret", Charged: `doppler secrets set KEY=x`, Free: `doppler secrets get KEY`},
	}},
	{Name: "ssh-copy-id", Rows: []Row{{Target: some, Not: "-n", kinds: outw, Why: "adds a key on another host", Charged: `ssh-copy-id deploy@web-01.example.test`, Free: `ssh-copy-id -n deploy@web-01.example.test`}}},
	{Name: "restic", Also: []string{"borg", "duplicity", "kopia", "rdiff-backup", "tarsnap"}, Value: "-r --repo -p --password-file --tag --host --path -f", Rows: []Row{
		{Path: "forget|prune|delete|key|remove-older-than|remove-all-but-n-full|snapshot", Not: "-n --dry-run --list", When: func(l *line) bool {
			switch firstWord(l) {
			case "key", "snapshot":
				return either("remove|delete", l.op(0))
			}
			return true
		}, kinds: irr, Why: "removes backups", Charged: `restic forget --keep-last 1 --prune`, Free: `restic snapshots`},
		{With: "-d --nuke", When: func(l *line) bool { return l.name == "tarsnap" }, kinds: irr, Why: "removes backups", Charged: `tarsnap -d -f nightly`, Free: `tarsnap --list-archives`},
	}},
}

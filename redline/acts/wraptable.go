package acts

// mode says what a wrapper does with the words it carries.
type mode uint8

const (
	mWords mode = iota // the words are a command
	mShell             // the words, joined by spaces, are a script
	mEach              // each word is a script
	mStdin             // the script is on standard input
)

// wrap is one row of the wrappers' table: a program (or a subcommand of one)
// that runs another command, and how to find where that command begins.
type wrap struct {
	name string // the program's table name
	sub  string // its subcommand, words separated by spaces
	// global are the options before the subcommand that take the next word.
	global string
	// valued are the options that take the next word, when not glued to it.
	valued string
	// script are the options whose value is a script for a shell.
	script string
	// dir are the options whose value is the directory the command runs in.
	dir string
	// entry are the options whose value is the program, before the words.
	entry string
	skip  int    // operands before the command
	late  bool   // options may follow those operands
	after string // options behind which everything is the command
	dash  bool   // the command begins after `--` and nowhere else
	// assign: NAME=VALUE words before the command set its environment.
	assign bool
	mode   mode
	remote bool // it runs elsewhere; the first operand says where
	keep   bool // the wrapper's own words are an act too: it fetches, mounts or starts something
	empty  bool // without a command, standard input is a script
	pkg    bool // the first operand is a package: its version is taken off
	// example is a line of the wrapper around `rm -rf x`, for the test that walks
	// this table.
	example string
}

// wrappers is sorted by name; rows of one name are tried in order.
var wrappers = [...]wrap{
	{name: "asdf", sub: "exec", example: "asdf exec rm -rf x"},
	{name: "ash", mode: mShell, example: "ash -c 'rm -rf x'"},
	{name: "at", mode: mStdin, valued: "-q -t", example: "at now <<< 'rm -rf x'"},
	{name: "autossh", valued: sshValued + " -M", skip: 1, mode: mShell, remote: true, empty: true, example: "autossh -M 0 web-01 rm -rf x"},
	{name: "aws-vault", sub: "exec", valued: "-d --duration --region -r --mfa-token -t", skip: 1, late: true, example: "aws-vault exec prod -- rm -rf x"},
	{name: "batch", mode: mStdin, example: "batch <<< 'rm -rf x'"},
	{name: "bun", sub: "x", valued: "-p --package", keep: true, pkg: true, example: "bun x rm -rf x"},
	{name: "bundle", sub: "exec", example: "bundle exec rm -rf x"},
	{name: "bunx", valued: "-p --package", keep: true, pkg: true, example: "bunx rm -rf x"},
	{name: "busybox", example: "busybox rm -rf x"},
	{name: "caffeinate", valued: "-t -w", example: "caffeinate -i rm -rf x"},
	{name: "catchsegv", example: "catchsegv rm -rf x"},
	{name: "cgexec", valued: "-g", example: "cgexec -g cpu:x rm -rf x"},
	{name: "chamber", sub: "exec", dash: true, example: "chamber exec svc -- rm -rf x"},
	{name: "chpst", valued: "-u -U -b -e -/ -n -l -L -m -d -o -p -f -c -t", example: "chpst -u deploy rm -rf x"},
	{name: "chronic", valued: "", example: "chronic rm -rf x"},
	{name: "chroot", valued: "", skip: 1, example: "chroot /mnt rm -rf x"},
	{name: "chrt", skip: 1, valued: "-T -P -D", example: "chrt -f 10 rm -rf x"},
	{name: "concurrently", valued: "-n --names -c --prefix-colors -p --prefix --kill-others --success -m --max-processes", mode: mEach, example: "concurrently 'rm -rf x'"},
	{name: "conda", sub: "run", valued: "-n --name -p --prefix --cwd", example: "conda run -n py rm -rf x"},
	{name: "corepack", example: "corepack rm -rf x"},
	{name: "cpulimit", valued: "-l --limit -p --pid -e --exe -P --path", example: "cpulimit -l 50 rm -rf x"},
	{name: "cross-env", assign: true, example: "cross-env A=1 rm -rf x"},
	{name: "cross-env-shell", assign: true, mode: mShell, example: "cross-env-shell A=1 'rm -rf x'"},
	{name: "dbus-run-session", valued: "--config-file --dbus-daemon", example: "dbus-run-session rm -rf x"},
	{name: "direnv", sub: "exec", skip: 1, example: "direnv exec . rm -rf x"},
	{name: "doas", valued: "-u -C -a", example: "doas -u root rm -rf x"},
	{name: "docker", sub: "compose exec", global: dockerGlobal + composeGlobal, valued: execValued + " --index", skip: 1, remote: true, example: "docker compose exec -T web rm -rf x"},
	{name: "docker", sub: "compose run", global: dockerGlobal + composeGlobal, valued: runValued, entry: "--entrypoint", skip: 1, remote: true, keep: true, example: "docker compose run --rm web rm -rf x"},
	{name: "docker", sub: "container exec", global: dockerGlobal, valued: execValued, skip: 1, remote: true, example: "docker container exec web rm -rf x"},
	{name: "docker", sub: "container run", global: dockerGlobal, valued: runValued, entry: "--entrypoint", skip: 1, remote: true, keep: true, example: "docker container run web rm -rf x"},
	{name: "docker", sub: "exec", global: dockerGlobal, valued: execValued, skip: 1, remote: true, example: "docker exec -it web rm -rf x"},
	{name: "docker", sub: "run", global: dockerGlobal, valued: runValued, entry: "--entrypoint", skip: 1, remote: true, keep: true, example: "docker run --rm -v a:/b img rm -rf x"},
	{name: "docker-compose", sub: "exec", global: composeGlobal, valued: execValued + " --index", skip: 1, remote: true, example: "docker-compose exec web rm -rf x"},
	{name: "docker-compose", sub: "run", global: composeGlobal, valued: runValued, entry: "--entrypoint", skip: 1, remote: true, keep: true, example: "docker-compose run web rm -rf x"},
	{name: "doppler", sub: "run", valued: "-p --project -c --config -t --token --mount", script: "--command", dash: true, example: "doppler run -- rm -rf x"},
	{name: "dotenv", valued: "-e -v -f -p -c", example: "dotenv -e .env -- rm -rf x"},
	{name: "dotenvx", sub: "run", valued: "-f --env-file -e --env", dash: true, example: "dotenvx run -f .env -- rm -rf x"},
	{name: "eatmydata", example: "eatmydata rm -rf x"},
	{name: "entr", valued: "", example: "entr -r rm -rf x"},
	{name: "env-cmd", valued: "-f --file -e --environments -r --rc-file", example: "env-cmd -f .env rm -rf x"},
	{name: "envdir", skip: 1, example: "envdir conf rm -rf x"},
	{name: "fakeroot", valued: "-l --lib -s -i -b", example: "fakeroot rm -rf x"},
	{name: "faketime", skip: 1, valued: "", example: "faketime '2020-01-01' rm -rf x"},
	{name: "firejail", example: "firejail --net=none rm -rf x"},
	{name: "fly", sub: "ssh console", valued: "-a --app -c --config -r --region -u --user -s --machine", script: "-C --command", remote: true, example: "fly ssh console -C 'rm -rf x'"},
	{name: "flyctl", sub: "ssh console", valued: "-a --app -c --config -r --region -u --user -s --machine", script: "-C --command", remote: true, example: "flyctl ssh console -C 'rm -rf x'"},
	{name: "foreman", sub: "run", valued: "-e --env -f --procfile -d --root", example: "foreman run rm -rf x"},
	{name: "gcloud", sub: "compute ssh", valued: "--zone --project --account --ssh-key-file --strict-host-key-checking", script: "--command", skip: 1, late: true, remote: true, example: "gcloud compute ssh vm --command='rm -rf x'"},
	{name: "gtime", valued: "-f --format -o --output", example: "gtime -v rm -rf x"},
	{name: "gtimeout", valued: "-k --kill-after -s --signal", skip: 1, example: "gtimeout 5 rm -rf x"},
	{name: "hatch", sub: "run", example: "hatch run rm -rf x"},
	{name: "heroku", sub: "run", valued: "-a --app -s --size -e --env -r --remote", mode: mShell, remote: true, example: "heroku run -a app rm -rf x"},
	{name: "hyperfine", valued: "-w --warmup -r --runs -m --min-runs -M --max-runs -P --parameter-scan -L --parameter-list -S --shell --export-json --export-csv --export-markdown -u --time-unit -n --command-name -i --style", script: "-p --prepare -c --cleanup -s --setup -C --conclude", mode: mEach, example: "hyperfine 'rm -rf x'"},
	{name: "infisical", sub: "run", valued: "--env --path --projectId --token", script: "--command", dash: true, example: "infisical run -- rm -rf x"},
	{name: "ionice", valued: "-c --class -n --classdata -p --pid -P --pgid -u --uid", example: "ionice -c 3 rm -rf x"},
	{name: "kubectl", sub: "exec", global: kubeGlobal, valued: kubeGlobal + " -c --container -f --filename --pod-running-timeout", skip: 1, late: true, remote: true, example: "kubectl exec -n shop web -c app -- rm -rf x"},
	{name: "kubectl", sub: "run", global: kubeGlobal, valued: kubeGlobal + " --image --env --labels -l --overrides --port --restart --image-pull-policy --override-type --pod-running-timeout", skip: 1, late: true, remote: true, keep: true, example: "kubectl run t --image=img -- rm -rf x"},
	{name: "kubectl", sub: "debug", global: kubeGlobal, valued: kubeGlobal + " --image -c --container --target --copy-to --profile", skip: 1, late: true, dash: true, remote: true, keep: true, example: "kubectl debug web --image=img -- rm -rf x"},
	{name: "lerna", sub: "exec", dash: true, example: "lerna exec -- rm -rf x"},
	{name: "linux32", example: "linux32 rm -rf x"},
	{name: "linux64", example: "linux64 rm -rf x"},
	{name: "ltrace", valued: "-e -o -p -s -u -n -a -x -l -A -D -F", example: "ltrace -f rm -rf x"},
	{name: "lxc", sub: "exec", valued: "--cwd --env --group --user --mode", skip: 1, late: true, remote: true, example: "lxc exec box -- rm -rf x"},
	{name: "mise", sub: "exec", valued: "-C --cd -j --jobs", script: "-c --command", dash: true, example: "mise exec -- rm -rf x"},
	{name: "mise", sub: "x", valued: "-C --cd -j --jobs", script: "-c --command", dash: true, example: "mise x -- rm -rf x"},
	{name: "multipass", sub: "exec", valued: "-d --working-directory", skip: 1, late: true, remote: true, example: "multipass exec box -- rm -rf x"},
	{name: "nerdctl", sub: "exec", global: dockerGlobal, valued: execValued, skip: 1, remote: true, example: "nerdctl exec web rm -rf x"},
	{name: "nerdctl", sub: "run", global: dockerGlobal, valued: runValued, entry: "--entrypoint", skip: 1, remote: true, keep: true, example: "nerdctl run img rm -rf x"},
	{name: "nice", valued: "-n --adjustment", example: "nice -n 5 rm -rf x"},
	{name: "nix", sub: "develop", valued: "--profile", after: "-c --command", keep: true, example: "nix develop -c rm -rf x"},
	{name: "nix", sub: "shell", valued: "--profile", after: "-c --command", keep: true, example: "nix shell pkg -c rm -rf x"},
	{name: "nix-shell", valued: "-p --packages -I -A --attr --arg", script: "--run --command", keep: true, example: "nix-shell --run 'rm -rf x'"},
	{name: "nodemon", valued: "-w --watch -e --ext -i --ignore -d --delay -C --cwd", script: "-x --exec", keep: true, example: "nodemon --exec 'rm -rf x'"},
	{name: "nohup", example: "nohup rm -rf x"},
	{name: "npm", sub: "exec", global: "--prefix -C -w --workspace", valued: "-p --package -w --workspace --prefix", script: "-c --call", keep: true, pkg: true, late: true, example: "npm exec -- rm -rf x"},
	{name: "npm", sub: "x", global: "--prefix -C -w --workspace", valued: "-p --package -w --workspace --prefix", script: "-c --call", keep: true, pkg: true, late: true, example: "npm x -- rm -rf x"},
	{name: "npx", valued: "-p --package -w --workspace --prefix --registry --userconfig --cache", script: "-c --call", keep: true, pkg: true, example: "npx -y rm -rf x"},
	{name: "nsenter", valued: "-t --target -S --setuid -G --setgid", example: "nsenter -t 1 -m rm -rf x"},
	{name: "numactl", valued: "-N --cpunodebind -m --membind -C --physcpubind -p --preferred -i --interleave", example: "numactl -N 0 rm -rf x"},
	{name: "oc", sub: "exec", global: kubeGlobal, valued: kubeGlobal + " -c --container", skip: 1, late: true, remote: true, example: "oc exec web -- rm -rf x"},
	{name: "oc", sub: "rsh", global: kubeGlobal, valued: kubeGlobal + " -c --container --shell --timeout", skip: 1, remote: true, example: "oc rsh web rm -rf x"},
	{name: "op", sub: "run", valued: "--env-file", dash: true, example: "op run --env-file=.env -- rm -rf x"},
	{name: "pdm", sub: "run", valued: "-p --project -s --site-packages", example: "pdm run rm -rf x"},
	{name: "pipenv", sub: "run", example: "pipenv run rm -rf x"},
	{name: "pipx", sub: "run", valued: "--spec --python --pip-args -i --index-url", keep: true, pkg: true, example: "pipx run rm -rf x"},
	{name: "pkexec", valued: "--user", example: "pkexec rm -rf x"},
	{name: "pnpm", sub: "dlx", global: pnpmGlobal, valued: "--package -c --shell-mode", keep: true, pkg: true, example: "pnpm dlx rm -rf x"},
	{name: "pnpm", sub: "exec", global: pnpmGlobal, example: "pnpm exec rm -rf x"},
	{name: "podman", sub: "compose exec", global: dockerGlobal + composeGlobal, valued: execValued + " --index", skip: 1, remote: true, example: "podman compose exec web rm -rf x"},
	{name: "podman", sub: "compose run", global: dockerGlobal + composeGlobal, valued: runValued, entry: "--entrypoint", skip: 1, remote: true, keep: true, example: "podman compose run web rm -rf x"},
	{name: "podman", sub: "container exec", global: dockerGlobal, valued: execValued, skip: 1, remote: true, example: "podman container exec web rm -rf x"},
	{name: "podman", sub: "exec", global: dockerGlobal, valued: execValued, skip: 1, remote: true, example: "podman exec web rm -rf x"},
	{name: "podman", sub: "run", global: dockerGlobal, valued: runValued, entry: "--entrypoint", skip: 1, remote: true, keep: true, example: "podman run img rm -rf x"},
	{name: "podman", sub: "unshare", global: dockerGlobal, example: "podman unshare rm -rf x"},
	{name: "podman-compose", sub: "exec", global: composeGlobal, valued: execValued + " --index", skip: 1, remote: true, example: "podman-compose exec web rm -rf x"},
	{name: "poetry", sub: "run", global: "-C --directory -P --project", example: "poetry run rm -rf x"},
	{name: "prlimit", example: "prlimit --nofile=10 rm -rf x"},
	{name: "proxychains", valued: "-f", example: "proxychains -q rm -rf x"},
	{name: "proxychains4", valued: "-f", example: "proxychains4 -q rm -rf x"},
	{name: "pyenv", sub: "exec", example: "pyenv exec rm -rf x"},
	{name: "rbenv", sub: "exec", example: "rbenv exec rm -rf x"},
	{name: "rlwrap", valued: "-f -H -C -b -c -S -s", example: "rlwrap rm -rf x"},
	{name: "runcon", valued: "-t -u -r -l", skip: 0, example: "runcon -t type_t rm -rf x"},
	{name: "runuser", valued: "-u --user -g --group -G --supp-group -s --shell -w --whitelist-environment", script: "-c --command --session-command", skip: 0, example: "runuser -u deploy -- rm -rf x"},
	{name: "rye", sub: "run", example: "rye run rm -rf x"},
	{name: "schroot", valued: "-c --chroot -d --directory -u --user -s --shell", example: "schroot -c sid -- rm -rf x"},
	{name: "setarch", skip: 1, valued: "", example: "setarch x86_64 -R rm -rf x", late: true},
	{name: "setpriv", valued: "--reuid --regid --groups", example: "setpriv --reuid=1000 rm -rf x"},
	{name: "setsid", example: "setsid -f rm -rf x"},
	{name: "softlimit", valued: "-a -c -d -f -l -m -o -p -r -s -t", example: "softlimit -m 100 rm -rf x"},
	{name: "ssh", valued: sshValued, skip: 1, late: true, mode: mShell, remote: true, empty: true, example: "ssh -p 22 web-01 rm -rf x"},
	{name: "ssh-agent", valued: "-a -E -t -P -O", example: "ssh-agent rm -rf x"},
	{name: "sshpass", valued: "-p -f -d -P", example: "sshpass -p secret rm -rf x"},
	{name: "start-stop-daemon", valued: "-p --pidfile -u --user -x -a -c --chuid -n --name -d --chdir -N --nicelevel", entry: "--exec --startas", example: "start-stop-daemon --start --exec rm -- -rf x"},
	{name: "stdbuf", valued: "-i --input -o --output -e --error", example: "stdbuf -oL rm -rf x"},
	{name: "strace", valued: "-e -o -p -s -u -E -a -I -O -S -b -P -U -X", example: "strace -f -o log rm -rf x"},
	{name: "sudo", valued: "-u --user -g --group -p --prompt -C --close-from -h --host -r --role -t --type -R --chroot -T --command-timeout -U --other-user -a --auth-type -c --login-class", dir: "-D --chdir", assign: true, example: "sudo -u deploy A=1 rm -rf x"},
	{name: "systemd-inhibit", valued: "--what --who --why --mode", example: "systemd-inhibit --what=sleep rm -rf x"},
	{name: "systemd-run", valued: "-u --unit -p --property -H --host -M --machine --uid --gid --nice --slice --description -E --setenv --on-active --on-calendar --service-type", dir: "--working-directory", example: "systemd-run --user -p A=1 rm -rf x"},
	{name: "taskset", skip: 1, example: "taskset -c 0-3 rm -rf x"},
	{name: "tcpserver", skip: 2, example: "tcpserver 0 80 rm -rf x"},
	{name: "teller", sub: "run", dash: true, example: "teller run -- rm -rf x"},
	{name: "time", valued: "-f --format -o --output", example: "/usr/bin/time -v rm -rf x"},
	{name: "timeout", valued: "-k --kill-after -s --signal", skip: 1, example: "timeout -k 5 60s rm -rf x"},
	{name: "torify", example: "torify rm -rf x"},
	{name: "torsocks", valued: "-u --user -p --pass -a --address -P --port", example: "torsocks rm -rf x"},
	{name: "toybox", example: "toybox rm -rf x"},
	{name: "tsocks", example: "tsocks rm -rf x"},
	{name: "unbuffer", example: "unbuffer -p rm -rf x"},
	{name: "unshare", valued: "-S --setuid -G --setgid -R --root --map-user --map-group --propagation", dir: "-w --wd", example: "unshare -n rm -rf x"},
	{name: "uv", sub: "run", global: uvGlobal, valued: uvGlobal + " --with --extra --group --only-group --no-group --python -p --env-file --with-editable --with-requirements --package --index --default-index -m --module", keep: true, example: "uv run --with x rm -rf x"},
	{name: "uv", sub: "tool run", global: uvGlobal, valued: uvGlobal + " --from --with --python -p --index --default-index", keep: true, pkg: true, example: "uv tool run rm -rf x"},
	{name: "uvx", valued: uvGlobal + " --from --with --python -p --index --default-index", keep: true, pkg: true, example: "uvx --from x rm -rf x"},
	{name: "vagrant", sub: "ssh", valued: "", script: "-c --command", remote: true, example: "vagrant ssh -c 'rm -rf x'"},
	{name: "valgrind", example: "valgrind --leak-check=full rm -rf x"},
	{name: "volta", sub: "run", valued: "--node --npm --yarn --pnpm --env", example: "volta run --node 20 rm -rf x"},
	{name: "watch", valued: "-n --interval -s --shotsdir", mode: mShell, example: "watch -n 5 rm -rf x"},
	{name: "winpty", example: "winpty rm -rf x"},
	{name: "wsl", valued: "-d --distribution -u --user --cd", script: "", remote: true, example: "wsl -d Ubuntu rm -rf x"},
	{name: "xvfb-run", valued: "-n --server-num -e --error-file -f --auth-file -s --server-args -w --wait -p --xauth-protocol", example: "xvfb-run -a rm -rf x"},
	{name: "yarn", sub: "dlx", valued: "-p --package", keep: true, pkg: true, example: "yarn dlx rm -rf x"},
	{name: "yarn", sub: "exec", global: "--cwd", example: "yarn exec rm -rf x"},
}

const (
	sshValued     = "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -P -Q -R -S -W -w"
	dockerGlobal  = "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey "
	composeGlobal = "-f --file -p --project-name --profile --env-file --project-directory --ansi --parallel --progress"
	kubeGlobal    = "-n --namespace --context --kubeconfig --cluster --user -s --server --token --as --request-timeout --cache-dir -v"
	execValued    = "-e --env -u --user -w --workdir --env-file --detach-keys"
	runValued     = "-v --volume -e --env -p --publish --name -w --workdir -u --user --network --net -h --hostname -l --label -m --memory --mount --env-file --cpus --platform --pull --restart --gpus --add-host --device --dns --dns-search --expose --ip --link --log-driver --log-opt --cap-add --cap-drop --security-opt --shm-size --tmpfs --ulimit --volumes-from --cidfile --cgroupns --ipc --pid --userns --uts --runtime --stop-signal --stop-timeout --sysctl --annotation -a --attach -c --cpu-shares --cpuset-cpus --cpuset-mems --group-add --health-cmd --health-interval --health-retries --health-timeout --storage-opt --memory-swap --network-alias --label-file --isolation --pids-limit --oom-score-adj --blkio-weight --index --use-aliases"
	pnpmGlobal    = "-C --dir -F --filter --reporter --loglevel"
	uvGlobal      = "--directory --project --config-file --cache-dir --color"
)

// findWrap answers the rows of a program.
func findWrap(name string) []wrap {
	lo, hi := 0, len(wrappers)
	for lo < hi {
		m := (lo + hi) / 2
		if wrappers[m].name < name {
			lo = m + 1
		} else {
			hi = m
		}
	}
	end := lo
	for end < len(wrappers) && wrappers[end].name == name {
		end++
	}
	return wrappers[lo:end]
}

// hasOpt reports whether a list of options separated by spaces names opt.
func hasOpt(list, opt string) bool {
	for list != "" {
		var w string
		i := 0
		for i < len(list) && list[i] != ' ' {
			i++
		}
		w = list[:i]
		if w == opt {
			return true
		}
		for i < len(list) && list[i] == ' ' {
			i++
		}
		list = list[i:]
	}
	return false
}

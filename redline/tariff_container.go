package redline

import "strings"

// containerTable: containers, their volumes, images and orchestrators.
var containerTable = []Program{
	{Name: "docker", Also: []string{"podman", "nerdctl", "buildah"}, Value: "-H --host -c --context --config -l --log-level --connection --url --filter --format", Rows: []Row{
		{Path: "push", kinds: outw, Why: "pushes an image", Charged: `docker push reg.example.test/api:1.4`, Free: `docker build -t shop-api:dev .`},
		{Path: "image|manifest|plugin|artifact push", kinds: outw, Why: "pushes an image", Charged: `docker image push reg.example.test/api:1.4`, Free: `docker image ls`},
		{Path: "build|buildx|bake", With: "--push", kinds: outw, Why: "pushes the image it builds", Charged: `docker buildx build --push -t reg.example.test/api:1.4 .`, Free: `docker buildx build -t api:dev .`},
		{Path: "volume rm|remove|prune", kinds: irr, Why: "removes volumes", Charged: `docker volume rm shop_pgdata`, Free: `docker volume ls`},
		{Path: "system prune|reset", kinds: irr, Why: "removes whatever is not running", Charged: `docker system prune -af --volumes`, Free: `docker system df`},
		{Path: "container|pod prune", kinds: irr, Why: "removes containers that are not running, with what was written in them", Charged: `docker container prune -f`, Free: `docker container ls -a`},
		{Path: "rm|container", With: "-v --volumes", When: func(l *line) bool { return either("rm", firstWord(l)) || l.op(0) == "rm" }, kinds: irr, Why: "removes a container's volumes", Charged: `docker rm -fv shop-db-test`, Free: `docker rm -f shop-db-test`},
		{Path: "stack|service|secret|config deploy|create|update|rollback|scale", kinds: outw, Why: "changes a swarm", Charged: `docker stack deploy -c stack.yml shop`, Free: `docker stack ls`},
		{Path: "stack|service|secret|config rm|remove|down", kinds: irr, Why: "removes from a swarm", Charged: `docker stack rm shop`, Free: `docker stack ps shop`},
	}},
	{Name: "docker-compose", Also: []string{"podman-compose"}, Lead: "-f --file -p --project-name --profile --project-directory --env-file --parallel --ansi --progress -H --host", Rows: []Row{
		{Path: "down|rm", Value: "-t --timeout --rmi", With: "-v --volumes", Not: "--dry-run", kinds: irr, Why: "removes the volumes of the services",
			Charged: `docker compose -f prod.yml down -v`, Free: `docker compose down`},
		{Path: "push", Not: "--dry-run", kinds: outw, Why: "pushes images", Charged: `docker compose push api`, Free: `docker compose pull api`},
	}},
	{Name: "skopeo", Also: []string{"crane", "oras", "regctl", "regclient"}, Value: "--authfile --src-creds --dest-creds --creds --src-tls-verify --dest-tls-verify", Rows: []Row{
		{Path: "copy|cp|push|tag|append|mutate|attach|sync", When: func(l *line) bool {
			last := l.op(len(l.ops) - 1)
			return !strings.HasPrefix(last, "dir:") && !strings.HasPrefix(last, "oci:") && !strings.HasPrefix(last, "docker-archive:") && !strings.HasPrefix(last, "docker-daemon:") && !strings.HasPrefix(last, "containers-storage:")
		}, kinds: outw, Why: "pushes an image", Charged: `skopeo copy oci:out docker://reg.example.test/api:1.4`, Free: `skopeo copy docker://reg.example.test/api:1.4 oci:out`},
		{Path: "delete|rm", kinds: irr, Why: "deletes an image at the registry", Charged: `crane delete reg.example.test/api:1.4`, Free: `crane ls reg.example.test/api`},
	}},
	{Name: "kubectl", Also: []string{"oc", "microk8s.kubectl", "k"}, Value: kubeValues, Rows: []Row{
		{Path: "delete", Not: "--dry-run", kinds: irr, Why: "deletes from a cluster", Charged: `kubectl delete pod api-7d9 -n shop`, Free: `kubectl get pods -n shop`},
		{Path: "replace", With: "--force", Not: "--dry-run", kinds: irr, Why: "deletes and recreates in a cluster", Charged: `kubectl replace --force -f pod.yaml`, Free: `kubectl replace -f pod.yaml --dry-run=server`},
		{Path: "apply", With: "--prune", Not: "--dry-run", kinds: irr, Why: "deletes from a cluster what is not in the files", Charged: `kubectl apply --prune -f k8s/ -l app=shop`, Free: `kubectl apply --prune -f k8s/ --dry-run=client`},
		{Path: "apply|create|replace|patch|edit|scale|autoscale|label|annotate|expose|taint|cordon|uncordon|drain|debug|new-app|new-project|start-build|adm", Not: "--dry-run --list", kinds: outw, Why: "changes a cluster",
			Charged: `kubectl apply -f k8s/deploy.yaml -n shop`, Free: `kubectl apply -f k8s/ --dry-run=client -o yaml`},
		{Path: "set image|env|resources|selector|serviceaccount|subject", Not: "--dry-run --list", kinds: outw, Why: "changes a cluster", Charged: `kubectl set image deploy/api api=api:1.4`, Free: `kubectl set env deploy/api --list`},
		{Path: "rollout restart|undo|pause|resume", Not: "--dry-run", kinds: outw, Why: "changes a cluster", Charged: `kubectl rollout restart deploy/api`, Free: `kubectl rollout status deploy/api`},
		{Path: "run", Not: "--dry-run", kinds: outw, Why: "starts a pod in a cluster", Charged: `kubectl run probe --image=busybox`, Free: `kubectl run probe --image=busybox --dry-run=client -o yaml`},
		{Path: "certificate approve|deny", kinds: outw, Why: "changes a cluster", Charged: `kubectl certificate approve csr-1`, Free: `kubectl get csr`},
		{Path: "cp", When: func(l *line) bool { return strings.IndexByte(l.op(1), ':') > 1 }, kinds: outw, Why: "copies into a pod", Charged: `kubectl cp app.js shop/api-1:/srv/app.js`, Free: `kubectl cp shop/api-1:/srv/app.log ./app.log`},
	}},
	{Name: "helm", Value: "-n --namespace --kube-context --kubeconfig -f --values --set --set-string --set-file --version --repo --timeout --description --history-max", Rows: []Row{
		{Path: "uninstall|delete|un|del", Not: "--dry-run", kinds: irr, Why: "removes a release from a cluster", Charged: `helm uninstall shop -n shop`, Free: `helm list -n shop`},
		{Path: "install|upgrade|rollback|test", Not: "--dry-run", kinds: outw, Why: "changes a cluster", Charged: `helm upgrade --install shop charts/api`, Free: `helm template charts/api`},
		{Path: "push", kinds: outw, Why: "publishes a chart", Charged: `helm push shop-1.0.tgz oci://reg.example.test/charts`, Free: `helm package charts/api`},
		{Path: "plugin install", kinds: dep, Why: "installs code that runs here", Charged: `helm plugin install https://git.example.test/diff`, Free: `helm plugin list`},
	}},
	{Name: "helmfile", Value: "-f --file -e --environment -n --namespace -l --selector", Rows: []Row{
		{Path: "destroy|delete", kinds: irr, Why: "removes releases from a cluster", Charged: `helmfile destroy`, Free: `helmfile diff`},
		{Path: "apply|sync", kinds: outw, Why: "changes a cluster", Charged: `helmfile apply`, Free: `helmfile template`},
	}},
	{Name: "argocd", Also: []string{"flux", "istioctl", "linkerd", "velero", "kubeadm", "eksctl", "kops", "rancher", "cmctl", "karmadactl"}, Value: "-n --namespace --context -c --config", Rows: []Row{
		{Not: "--dry-run", When: func(l *line) bool {
			return cloudOp(l) == opDestroy || either("uninstall|reset", l.op(0)) || l.op(0) == "app" && l.op(1) == "delete"
		}, kinds: irr, Why: "removes from a cluster", Charged: `argocd app delete shop`, Free: `argocd app list`},
		{Not: "--dry-run", When: func(l *line) bool {
			return cloudOp(l) == opChange || either("install|bootstrap|reconcile|upgrade|init|join", l.op(0))
		}, kinds: outw, Why: "changes a cluster", Charged: `argocd app sync shop`, Free: `argocd app diff shop`},
	}},
	{Name: "kind", Also: []string{"minikube", "k3d", "colima", "multipass", "limactl", "ctlptl"}, Value: "--name -n -p --profile", Rows: []Row{
		{Path: "delete|purge", kinds: irr, Why: "deletes a local cluster or machine with its volumes", Charged: `kind delete cluster --name shop`, Free: `kind get clusters`},
		{Path: "cluster delete|rm", kinds: irr, Why: "deletes a local cluster with its volumes", Charged: `k3d cluster delete shop`, Free: `k3d cluster list`},
	}},
	{Name: "skaffold", Also: []string{"devspace", "garden", "okteto", "tilt"}, Value: "-f --filename -n --namespace -p --profile --kube-context", Rows: []Row{
		{Path: "delete|purge|destroy", kinds: irr, Why: "removes from a cluster", Charged: `skaffold delete`, Free: `skaffold render`},
		{Path: "run|deploy|apply", Not: "--dry-run", When: func(l *line) bool { return l.name != "garden" || firstWord(l) == "deploy" }, kinds: outw, Why: "changes a cluster", Charged: `skaffold run`, Free: `skaffold build`},
	}},
	{Name: "nomad", Value: "-address -region -namespace -token", Style: dash, Rows: []Row{
		{Path: "job run|dispatch|revert|scale|promote|restart|start", kinds: outw, Why: "changes a cluster", Charged: `nomad job run shop.hcl`, Free: `nomad job plan shop.hcl`},
		{Path: "run", kinds: outw, Why: "changes a cluster", Charged: `nomad run shop.hcl`, Free: `nomad status`},
		{Path: "job|volume|namespace|var stop|delete|purge|deregister", kinds: irr, Why: "removes from a cluster", Charged: `nomad job stop -purge shop`, Free: `nomad job status shop`},
		{Path: "stop", kinds: irr, Why: "removes from a cluster", Charged: `nomad stop shop`, Free: `nomad status shop`},
	}},
}

const kubeValues = "-n --namespace --context --cluster --user --kubeconfig -s --server --as --as-group --token -f --filename -l --selector -o --output -c --container --image --type -p --patch " +
	"--field-selector --sort-by --tail --since --timeout --grace-period --replicas --min --max --port --target-port --from-file --from-literal --env --overrides --restart --field-manager -k --kustomize --request-timeout --certificate-authority --client-key --client-certificate -v"

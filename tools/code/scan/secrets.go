package scan

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// Files that hold keys and passwords by their tools' conventions. Names are in lower case.
var (
	secretNames = set(`.netrc _netrc .pgpass .pypirc .git-credentials .htpasswd .dockercfg .s3cfg .boto credentials credentials.json kubeconfig
		.vault-token .vault_pass .vault-pass vault_pass vault_pass.txt master.key service-account.json service_account.json .npmrc .my.cnf .mylogin.cnf
		.yarnrc.yml .envrc .flaskenv .openrc clouds.yaml clouds.yml rclone.conf kaggle.json auth.json local.settings.json .terraformrc terraform.rc
		application_default_credentials.json accesstokens.json msal_token_cache.json token.json tokens.json .rediscli_auth .cassandra .pgadmin
		credentials.txt credentials.csv credentials.yml credentials.yaml credentials.toml credentials.xml secrets secrets.txt secrets.json secrets.yml secrets.yaml
		secrets.toml secrets.ini secrets.properties secret.txt secret.json secret.yml secret.yaml passwords passwords.txt password.txt passwd.txt tokens.txt
		.secrets .credentials .password .passwords htpasswd shadow mcp.key .smbcredentials .msmtprc .fetchmailrc .ftpconfig sftp-config.json sftp.json
		filezilla.xml sitemanager.xml recentservers.xml datasources.local.xml wallet.dat .bash_history .zsh_history .sh_history .histfile fish_history
		.psql_history .mysql_history .sqlite_history .rediscli_history .python_history .node_repl_history .irb_history`)
	secretEnds = set(`.key .p8 .p12 .pfx .pk8 .jks .jceks .bcfks .keystore .truststore .kdbx .kdb .ppk .tfstate .ovpn .keytab .gpg .pgp .agekey .keychain .wallet .mobileprovision`)
	// secretGlobs are names with wildcards.
	secretGlobs = strings.Fields(`.env.* .env-* .env_* .env[0-9]* *.env *.env.local env.local env.prod* id_rsa* id_dsa* id_ecdsa* id_ed25519* *_rsa *_dsa *_ecdsa *_ed25519
		kubeconfig.* *.kubeconfig kubeconfig-* *service-account*.json *service_account*.json *serviceaccount*.json *adminsdk*.json client_secret*.json
		*credentials*.json *.tfstate.* *.tfstate.backup *.auto.tfvars secret*.tfvars secrets.*.yaml secrets.*.yml secrets-*.yaml secrets-*.yml *.secrets.yaml *.secrets.yml
		catena.y*ml catena.*.y*ml catena-*.y*ml`)
	// secretPaths are names in folders of their tools, by the last elements of a path.
	secretPaths = strings.Fields(`.docker/config.json .kube/* .cargo/credentials* .gem/credentials .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties
		gh/hosts.yml hub/hosts.yml .cf/config.json .bundle/config .config/gcloud/* .config/doctl/* .huggingface/token huggingface/token .config/hub .config/op/config .config/composer/auth.json .databrickscfg .snowsql/config`)
	// secretFolders hold nothing else.
	secretFolders = set(`.ssh .aws .azure .gnupg .gcloud .kube .password-store .secrets .credentials .pki`)
	// openEnvs are the ends of .env files, and of keys, that are written to be read: they hold names without values, or the public half.
	openEnvs = set(`.example .sample .template .dist .defaults .pub .tmpl .tpl`)
	// certificateEnds are the ends of names of files that may hold a public certificate, or a private key: their text says which.
	certificateEnds = set(`.pem .crt .cer .cert .der .asc`)
)

// isSecret reports whether a file of this path holds secrets by convention, or is named as a copy of one that does.
func isSecret(name string) bool {
	name = strings.ToLower(filepath.ToSlash(name))
	if secretName(name) || inSecretFolder(path.Dir(name)) {
		return true
	}
	base := Original(path.Base(name))
	return base != path.Base(name) && secretName(path.Join(path.Dir(name), base))
}

// copyBefore and copyBehind are what editors, tools and people add to the name of a file for a copy of it.
var (
	copyBefore = regexp.MustCompile(`^(?:copy of |[.]?#|[.]~lock[.])`)
	copyBehind = regexp.MustCompile(`(?:~|#|[ ._-]+(?:bak|bkp|backup|old|orig|original|save|saved|sav|tmp|temp|copy|swp|swo|swn|lock|new|prev|previous|disabled|off|rej)[\d._-]*` +
		`|[ ._-]+v?\d[\d._-]*| *[(](?:copy|\d+)[)])$`)
)

// Original is the name of the file that a file is a copy of, by its name: config.yaml for config.yaml~, config.yaml.bak and .config.yaml.swp.
// It is the name itself in lower case where it is no copy's. So is the start of a name that ends in numbers.
func Original(base string) string {
	base = strings.ToLower(base)
	const swap = ".sw"
	if i := strings.LastIndex(base, swap); i > 0 && len(base) == i+len(swap)+1 { // of vim: a point stands before it
		if name := base[:i]; strings.Count(name, ".") > 1 || !secretName(name) {
			base = strings.TrimPrefix(name, ".")
		}
	}
	for {
		short := copyBehind.ReplaceAllString(copyBefore.ReplaceAllString(base, ""), "")
		if short == base || short == "" {
			return base
		}
		base = short
	}
}

// secretName reports whether a file of this path, in lower case, holds secrets by its name.
func secretName(name string) bool {
	base := path.Base(name)
	ext := path.Ext(base)
	if openEnvs[ext] {
		return false
	}
	if base == ".env" || secretNames[base] || secretEnds[ext] {
		return true
	}
	for _, glob := range secretGlobs {
		if ok, err := path.Match(glob, base); ok && err == nil && !sourceEnds[ext] {
			return true
		}
	}
	for _, glob := range secretPaths {
		if ok, err := path.Match(glob, lastElements(name, strings.Count(glob, "/")+1)); ok && err == nil {
			return true
		}
	}
	return false
}

// sourceEnds are files of code: a name with a wildcard says nothing of those.
var sourceEnds = set(`.go .py .js .ts .tsx .jsx .java .kt .rb .rs .c .h .cc .cpp .cs .php .swift .scala .md .html .css .sh .sql`)

// isSecretFolder reports whether a folder of this name holds secrets only, or is named as a copy of one.
func isSecretFolder(name string) bool {
	name = strings.ToLower(name)
	for folder := range secretFolders { // what a name is a copy of stands in it
		if strings.Contains(name, folder) {
			return secretFolders[name] || secretFolders[Original(name)]
		}
	}
	return false
}

// inSecretFolder reports whether a path lies in a folder that holds secrets only.
func inSecretFolder(dir string) bool {
	for part := range strings.SplitSeq(strings.ToLower(filepath.ToSlash(dir)), "/") {
		if isSecretFolder(part) {
			return true
		}
	}
	return false
}

// lastElements are the last n elements of a path.
func lastElements(name string, n int) string {
	parts := strings.Split(name, "/")
	return strings.Join(parts[max(0, len(parts)-n):], "/")
}

// holdsKey reports whether a file of this name and beginning holds a private key, and not only certificates or public keys
// (RFC 7468). A .pem of neither is held for a secret.
func holdsKey(name string, head []byte) bool {
	if bytes.Contains(head, []byte("-----BEGIN")) && bytes.Contains(head, []byte("PRIVATE KEY-----")) && !sourceEnds[strings.ToLower(path.Ext(name))] {
		return true
	}
	ext := path.Ext(Original(name))
	if !certificateEnds[ext] {
		return false
	}
	public := bytes.Contains(head, []byte("-----BEGIN CERTIFICATE")) || bytes.Contains(head, []byte("PUBLIC KEY"))
	return bytes.Contains(head, []byte("PRIVATE KEY")) || ext == ".pem" && !public
}

// Private are files and folders as they are now, whatever names and links lead to them. Find makes one.
type Private struct {
	paths []string // with symlinks resolved
	infos []fs.FileInfo
}

// Find finds the files and folders of a list. What is not there yet counts by its name.
func Find(list []string) Private {
	var p Private
	for _, name := range list {
		abs, err := filepath.Abs(name)
		if err != nil {
			continue
		}
		p.paths = append(p.paths, abs)
		if real, err := filepath.EvalSymlinks(abs); err == nil && real != abs {
			p.paths = append(p.paths, real)
		}
		if info, err := os.Stat(abs); err == nil {
			p.infos = append(p.infos, info)
		}
	}
	return p
}

// has reports whether an absolute path is one of them, or lies in one.
func (p Private) has(name string) bool {
	for _, x := range p.paths {
		if rel, err := filepath.Rel(x, name); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// Holds reports whether a file or folder is one of them, or lies in one.
func (p Private) Holds(name string) bool {
	abs, err := filepath.Abs(name)
	if err != nil {
		return true
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil && p.has(real) {
		return true
	}
	info, err := os.Stat(abs)
	return p.has(abs) || err == nil && p.is(info)
}

// is reports whether a file is one of them under another name.
func (p Private) is(info fs.FileInfo) bool {
	for _, x := range p.infos {
		if os.SameFile(x, info) {
			return true
		}
	}
	return false
}

// private reports whether a folder may not be indexed at all: it is one of Limits.Private, lies in one, or holds secrets only.
func (l Limits) private(dir string) bool { return inSecretFolder(dir) || Find(l.Private).has(dir) }

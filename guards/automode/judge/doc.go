// Package judge is automode's model tier, all of it but the network: what a model
// is asked about a call ([Build]), how its answer is read ([ParseVerdict]), what becomes
// of the verdict ([Settle]), and how well a model does on known cases ([Evaluate]).
//
// The tier runs in a second program, spar-judge, which spar starts only for a call
// that no local rule allows ([Start]): a hook is started on every call of an agent and
// must not link an HTTP client. A provider is a [Client]; those that speak HTTP live
// with that program, and anything else can be one.
//
// A failure is never a verdict. No key, no policy, no answer, an answer cut off: each ends as
// an [Outcome] with a Failure, and the person's own settings say whether that
// leaves the call to the harness or refuses it.
package judge

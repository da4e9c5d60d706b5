// Package melee is the swing: what has to be said before findings are held, and
// the one gate that is pulled when it is left. The question "is this call past
// the edge" is wrong for a run whose cost was known before it began; here it is
// asked once, in front, and answered once, behind.
package melee

package sortie

import "fmt"

// Bingo reports whether 70 % of a budget is spent: nothing new is started past
// it. Without a budget it never is.
func Bingo(spent, budget int) bool {
	return budget > 0 && int64(spent)*10 >= int64(budget)*7
}

// BingoAt is the call at which bingo is reached; 0 without a budget.
func BingoAt(budget int) int {
	if budget <= 0 {
		return 0
	}
	return int((int64(budget)*7 + 9) / 10)
}

// BingoDue reports whether the agent is told at this call: at the first past
// bingo, then once every five.
func BingoDue(spent, budget int) bool {
	return Bingo(spent, budget) && (spent-BingoAt(budget))%5 == 0
}

// Fuel is a sortie's budget of tool calls and what of it is gone.
type Fuel struct {
	Spent     int  `json:"spent"`
	Budget    int  `json:"budget,omitempty"` // 0: none was set
	Remaining int  `json:"remaining"`        // never below 0; 0 without a budget
	Bingo     bool `json:"bingo"`
}

// NewFuel works out the rest.
func NewFuel(spent, budget int) Fuel {
	f := Fuel{Spent: spent, Budget: budget, Bingo: Bingo(spent, budget)}
	if budget > 0 {
		f.Remaining = max(0, budget-spent)
	}
	return f
}

// String is the gauge in one line.
func (f Fuel) String() string {
	if f.Budget == 0 {
		return fmt.Sprintf("%d spent (no budget set)", f.Spent)
	}
	return fmt.Sprintf("%d/%d spent", f.Spent, f.Budget)
}

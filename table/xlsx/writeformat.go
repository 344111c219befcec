package xlsx

import (
	"strings"

	"catena/table"
	"catena/table/infer"
)

// sheetSigns are how number formats name currencies: with the country where the sign is used for several.
var sheetSigns = map[string]string{
	"USD": "[$$-409]",
	"AUD": "[$$-C09]",
	"CAD": "[$$-1009]",
	"MXN": "[$$-80A]",
	"EUR": "[$€-2]",
	"GBP": "[$£-809]",
	"JPY": "[$¥-411]",
	"CNY": "[$¥-804]",
	"INR": "[$₹-4009]",
}

// sheetFormat is the number format of a column by its type and unit; "" for the general one.
func sheetFormat(col table.Column) string {
	switch col.Type {
	case table.Text, table.JSON:
		return "@"
	case table.Date:
		return "yyyy-mm-dd"
	case table.DateTime:
		code := "yyyy-mm-dd hh:mm:ss"
		if isZone(col.Zone) {
			code += ` "` + col.Zone + `"`
		}
		return code
	case table.Time:
		return "hh:mm:ss"
	case table.Duration:
		return "[h]:mm:ss"
	case table.Int, table.Decimal, table.Float:
		return numberFormat(col)
	}
	return ""
}

func numberFormat(col table.Column) string {
	digits := "0"
	if col.Type == table.Float {
		digits = "General"
	}
	if col.Scale > 0 && col.Type == table.Decimal {
		digits += "." + strings.Repeat("0", int(min(col.Scale, 30)))
	}
	sign, known := sheetSigns[col.Unit]
	switch {
	case col.Unit == "%":
		if col.Type == table.Float {
			digits = "0.00"
		}
		return digits + "%"
	case known || isCurrency(col.Unit):
		if col.Type == table.Float {
			digits = "0.00"
		}
		if !known {
			sign = "[$" + col.Unit + "] "
		}
		return sign + strings.Replace(digits, "0", "#,##0", 1)
	case unitWord.MatchString(col.Unit):
		return digits + ` "` + col.Unit + `"`
	}
	return digits
}

func isCurrency(code string) bool {
	for _, s := range infer.Symbols {
		if s.Code == code {
			return true
		}
	}
	return false
}

/// The country codes that ISO 3166-1 assigns (alpha-2, as of 2025), or leaves to users to assign.
enum CountryCode {
    /// Returns `true` for an assigned code in upper case, and for the codes that users may assign: AA, QM to QZ, XA to
    /// XZ, ZZ (ISO 3166-1, 8.1.3), such as Kosovo's XK and test codes.
    static func isAssigned(_ code: String) -> Bool {
        assigned.contains(code) || isUserAssigned(Array(code.utf8))
    }

    private static func isUserAssigned(_ code: [UInt8]) -> Bool {
        guard code.count == 2, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(code[1]) else { return false }
        return switch code[0] {
        case UInt8(ascii: "X"): true
        case UInt8(ascii: "Q"): code[1] >= UInt8(ascii: "M")
        case UInt8(ascii: "A"), UInt8(ascii: "Z"): code[1] == code[0]
        default: false
        }
    }

    private static let assigned: Set<String> = Set(
        """
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
        CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO \
        FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE \
        JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO \
        MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW \
        PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM \
        TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
        """.split(separator: " ").map(String.init)
    )
}

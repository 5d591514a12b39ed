import MdocKit

/// The codes of ISO 3166-1 alpha-2.
enum CountryCode {
    /// Returns `true` if a text is two capital letters.
    static func isWellFormed(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy(isCapital)
    }

    /// Returns `true` for a code that the standard assigns, or leaves to its users: AA, QM to QZ, XA to XZ and ZZ.
    static func isAssigned(_ text: some StringProtocol) -> Bool {
        officialCodes.contains(String(text)) || text == "AA" || text == "ZZ" || ("QM"..."QZ").contains(String(text))
            || ("XA"..."XZ").contains(String(text))
    }

    /// Returns `true` if a byte is one of A to Z.
    static func isCapital(_ character: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character)
    }

    private static let officialCodes = Set(
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

extension CountryCode {
    /// Returns `true` for a text in the form of ISO 3166-2: a country code, a hyphen, and one to three capital letters
    /// or digits.
    static func isSubdivision(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 2, parts[0].allSatisfy(isCapital) else { return false }
        return (1...3).contains(parts[1].count)
            && parts[1].allSatisfy { isCapital($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

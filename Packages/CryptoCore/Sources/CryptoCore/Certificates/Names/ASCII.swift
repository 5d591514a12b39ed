/// Case rules of host names and the like: only the letters A to Z have a case.
enum ASCII {
    static func lowercased(_ octet: UInt8) -> UInt8 {
        0x41...0x5a ~= octet ? octet | 0x20 : octet
    }

    static func lowercased(_ text: some StringProtocol) -> [UInt8] {
        text.utf8.map { lowercased($0) }
    }
}

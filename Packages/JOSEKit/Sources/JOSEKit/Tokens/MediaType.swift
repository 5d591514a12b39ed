/// A value of `typ` or `cty`, comparable as RFC 7515, sections 4.1.9 and 4.1.10 say: letter case does not matter, and
/// `application/` may be left out where no other slash follows.
struct MediaType: Equatable {
    private let normalized: [UInt8]

    init(_ text: String) {
        var bytes = text.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        let slash = UInt8(ascii: "/")
        if bytes.starts(with: "application/".utf8), bytes.count(where: { $0 == slash }) == 1 {
            bytes.removeFirst("application/".utf8.count)
        }
        normalized = bytes
    }
}

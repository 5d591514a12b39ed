package import CBORKit

/// The version of a structure: major and minor number, compared as numbers (ISO/IEC 18013-5, 8.3).
public struct MdocVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The major number; readers refuse all but 1.
    public let major: Int
    /// The minor number; readers accept any.
    public let minor: Int

    /// Creates a version.
    init(_ major: Int, _ minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Reads `major.minor`; nil if the text is anything else.
    public init?(_ text: String) {
        guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")),
            let major = Self.number(text.utf8[..<point]),
            let minor = Self.number(text.utf8[text.utf8.index(after: point)...])
        else { return nil }
        self.init(major, minor)
    }

    /// 1.0: the first edition.
    public static let v1_0 = MdocVersion(1, 0)
    /// 1.1: engagements and requests with members of ISO/IEC TS 18013-7 or of the second edition.
    public static let v1_1 = MdocVersion(1, 1)

    /// `major.minor`.
    public var description: String { "\(major).\(minor)" }

    /// Orders by the major, then by the minor number.
    public static func < (left: MdocVersion, right: MdocVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    private static func number(_ digits: Substring.UTF8View) -> Int? {
        guard (1...9).contains(digits.count) else { return nil }
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }
}

extension MdocVersion: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        guard !view.isText("1.0") else {
            self = .v1_0
            return
        }
        try self.init(supporting: try cbor(view.text()), path: view.path.names)
    }

    /// Reads a version whose major number is 1.
    init(supporting text: String, path: [String] = []) throws(MdocError) {
        guard let version = MdocVersion(text) else {
            throw MdocError(.invalidValue, "a version must be two numbers with a dot between them", path: path)
        }
        guard version.major == 1 else {
            throw MdocError(.unsupportedVersion, "version \(version) is not supported", path: path)
        }
        self = version
    }
}

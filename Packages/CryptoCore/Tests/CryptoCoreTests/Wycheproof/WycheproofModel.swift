import TestSupport

/// A file of the Wycheproof project, format v1, whose groups have the form of one schema.
struct WycheproofFile<Group: WycheproofGroup>: Decodable {
    let numberOfTests: Int
    let testGroups: [Group]
}

/// The common header of files of any schema.
struct WycheproofHeader: Decodable {
    let schema: String
    let algorithm: String?
    let numberOfTests: Int
}

/// Tests that share a key or sizes.
protocol WycheproofGroup: Decodable {
    associatedtype Test: WycheproofTest
    var tests: [Test] { get }
}

/// A group whose tests have nothing in common that matters.
struct WycheproofCases<Test: WycheproofTest>: WycheproofGroup {
    let tests: [Test]
}

/// One test: inputs, and whether an implementation must accept them.
protocol WycheproofTest: Decodable {
    var tcId: Int { get }
    var comment: String { get }
    var flags: [String] { get }
    var result: WycheproofResult { get }
}

/// The required result of a test.
enum WycheproofResult: String, Decodable {
    case valid
    case invalid
    /// Both are in order; the runner says which of them is ours, and why.
    case acceptable
}

/// This module's outcome of a test.
enum WycheproofOutcome {
    case accepted
    case refused
    /// The parameters have no place in our API, for the reason given; the runner has checked that they are refused.
    case outside(String)
}

/// Bytes in hexadecimal.
struct HexBytes: Decodable {
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = [UInt8](hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hexadecimal")
        }
        self.bytes = bytes
    }
}

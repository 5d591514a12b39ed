import CryptoCore
import JOSEKit
@_spi(Layers) import JSONKit

/// Disclosures that were read together, as one JSON text, which costs a fraction of reading each by itself.
final class DisclosureBatch: DisclosureList {
    /// The text that holds the base64url texts of all.
    let text: ArraySlice<UInt8>
    /// The decoded base64url texts.
    let contents: JSONDocument
    let entries: ContiguousArray<Entry>
    /// The ranges of the base64url texts.
    private let ranges: [Range<Int>]

    /// One Disclosure: where the parts of its contents are.
    struct Entry: Sendable {
        let salt: JSONPosition
        /// The claim's name; nil for an element of an array.
        let name: JSONPosition?
        let value: JSONPosition
    }

    /// The base64url text of a Disclosure.
    func encodedBytes(at place: Int) -> ArraySlice<UInt8> { text[ranges[place]] }

    var count: Int { entries.count }

    subscript(place: Int) -> SDJWTDisclosure { SDJWTDisclosure(self, at: place) }

    func contents(at place: Int) -> JSONDocument { contents }

    func valuePosition(at place: Int) -> JSONPosition { entries[place].value }

    func appendDigest(at place: Int, _ hash: HashAlgorithm, to digests: inout [UInt8]) {
        let range = ranges[place]
        let start = range.lowerBound - text.startIndex
        unsafe text.withUnsafeBytes { text in
            let message = unsafe UnsafeRawBufferPointer(rebasing: text[start..<start + range.count])
            unsafe hash.appendDigest(of: message, to: &digests)
        }
    }

    /// The claim's name in a Disclosure; nil for an element of an array.
    func claimName(at place: Int) -> String? { entries[place].name.map { string(at: $0) } }

    /// The claim's value in a Disclosure; nil for one with values inside.
    func scalar(at place: Int) -> JSONValue? { contents.scalar(at: entries[place].value) }

    /// The text of a salt or a name.
    func string(at position: JSONPosition) -> String {
        // Reading has made sure that salts and names are strings.
        (try? contents.string(at: position)) ?? ""
    }

    private init(
        _ text: ArraySlice<UInt8>,
        _ ranges: [Range<Int>],
        _ contents: JSONDocument,
        _ entries: ContiguousArray<Entry>
    ) {
        self.text = text
        self.ranges = ranges
        self.contents = contents
        self.entries = entries
    }
}

extension DisclosureBatch {
    /// Reads one Disclosure.
    convenience init(only text: ArraySlice<UInt8>, limits: SDJWTLimits) throws(SDJWTError) {
        guard text.count <= limits.size else {
            throw SDJWTError(.limitExceeded, "\(text.count) bytes, over \(limits.size)")
        }
        let json: [UInt8]
        do throws(JOSEError) {
            json = try Base64URL.decode(text)
        } catch {
            throw SDJWTError(.malformedDisclosure, reading: error)
        }
        let (contents, entry) = try reading(.malformedDisclosure) { () throws(JSONError) in
            let contents = try JSONDocument(json, limits: limits.json)
            return (contents, try Entry.read(contents, at: contents.rootPosition))
        }
        self.init(text, [text.indices], contents, [entry])
    }

    /// Reads several Disclosures; nil if one of them has to be read by itself, to say what is wrong with it.
    ///
    /// The contents are joined by commas into one array. Each of its elements must lie in the stretch of one Disclosure, so
    /// that no Disclosure can consist of two, or of a part of one.
    ///
    /// - Parameters:
    ///   - text: The text that holds the Disclosures.
    ///   - ranges: Their ranges in it.
    convenience init?(_ text: ArraySlice<UInt8>, _ ranges: [Range<Int>], limits: SDJWTLimits) {
        guard ranges.count > 1, let json = Self.join(text, ranges) else { return nil }
        var jsonLimits = limits.json
        jsonLimits.depth += 1
        jsonLimits.size = json.count
        do throws(JSONError) {
            let contents = try JSONDocument(json, limits: jsonLimits)
            let entries = try Self.entries(contents, ranges)
            guard entries.count == ranges.count else { return nil }
            self.init(text, ranges, contents, entries)
        } catch {
            return nil
        }
    }

    /// The elements that the contents consist of, up to one that lies elsewhere than in the stretch of one Disclosure.
    private static func entries(
        _ contents: JSONDocument,
        _ ranges: [Range<Int>]
    ) throws(JSONError) -> ContiguousArray<Entry> {
        var entries: ContiguousArray<Entry> = []
        entries.reserveCapacity(ranges.count)
        var start = 1
        var next = contents.firstElement(of: contents.rootPosition)
        while let position = next {
            let place = entries.count
            let range = contents.range(at: position)
            guard place < ranges.count else { return [] }
            let end = start + Base64URL.decodedCount(ranges[place].count)
            guard range.lowerBound >= start, range.upperBound <= end else { return [] }
            entries.append(try Entry.read(contents, at: position))
            start = end + 1
            next = contents.element(after: position, in: contents.rootPosition)
        }
        return entries
    }

    /// The contents in one array.
    private static func join(_ text: ArraySlice<UInt8>, _ ranges: [Range<Int>]) -> [UInt8]? {
        let size = ranges.reduce(1) { $0 + Base64URL.decodedCount($1.count) + 1 }
        var json = [UInt8](repeating: UInt8(ascii: ","), count: size)
        var start = 1
        for range in ranges {
            guard Base64URL.decode(text[range].span, into: &json, at: start) else { return nil }
            start += Base64URL.decodedCount(range.count) + 1
        }
        json[0] = UInt8(ascii: "[")
        json[size - 1] = UInt8(ascii: "]")
        return json
    }
}

extension DisclosureBatch.Entry {
    /// Takes the parts of a Disclosure from its contents: `[salt, name, value]` or `[salt, value]`.
    fileprivate static func read(
        _ contents: JSONDocument,
        at array: JSONPosition
    ) throws(JSONError) -> DisclosureBatch.Entry {
        guard contents.kind(at: array) == .array else {
            throw .typeMismatch(expected: .array, at: contents.view(at: array))
        }
        let count = contents.count(at: array)
        guard 2...3 ~= count, let salt = contents.firstElement(of: array),
            let second = contents.element(after: salt, in: array)
        else { throw JSONError(.typeMismatch, "a Disclosure has two or three elements", at: contents.view(at: array)) }
        try requireString(salt, contents)
        guard count == 3, let third = contents.element(after: second, in: array) else {
            return DisclosureBatch.Entry(salt: salt, name: nil, value: second)
        }
        try requireString(second, contents)
        return DisclosureBatch.Entry(salt: salt, name: second, value: third)
    }

    private static func requireString(_ position: JSONPosition, _ contents: JSONDocument) throws(JSONError) {
        guard contents.kind(at: position) == .string else {
            throw .typeMismatch(expected: .string, at: contents.view(at: position))
        }
    }
}

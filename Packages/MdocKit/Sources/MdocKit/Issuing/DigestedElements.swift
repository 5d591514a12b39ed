import CBORKit
import CryptoCore

/// The elements of a credential with their random values and digests, numbered in an order that tells nothing.
struct DigestedElements {
    /// One namespace.
    private struct Group {
        let nameSpace: NameSpace
        /// IssuerSignedItemBytes of the elements, in the order in which they were added.
        var items: [[UInt8]] = []
        /// The digests by number.
        var digests: [[UInt8]]
    }

    private var groups: [Group] = []

    /// Draws random values, numbers and decoys.
    ///
    /// - Throws: ``MdocError`` with code `invalidValue` if the random source gives the same value twice.
    init(
        _ elements: EncodedElements,
        hash: HashAlgorithm,
        randomSize: Int,
        _ random: some RandomSource
    ) throws(MdocError) {
        var generator = SourceGenerator(random)
        var drawn: Set<[UInt8]> = []
        for encoded in elements.groups {
            var group = Group(nameSpace: encoded.nameSpace, digests: [])
            group.digests = (0..<encoded.digestCount).map { _ in random.bytes(hash.digestSize) }
            let numbers = Array(0..<encoded.digestCount).shuffled(using: &generator)
            for (members, number) in zip(encoded.members, numbers) {
                let salt = random.bytes(randomSize)
                guard drawn.insert(salt).inserted else {
                    throw MdocError(.invalidValue, "the random source gave the same \(randomSize) bytes twice")
                }
                let item = Self.item(number, salt, members)
                group.digests[number] = hash.digest(of: item)
                group.items.append(item)
            }
            groups.append(group)
        }
    }

    /// IssuerSignedItemBytes, the members in the order of Annex D.
    private static func item(_ digestID: Int, _ random: [UInt8], _ members: [UInt8]) -> [UInt8] {
        let content = CBORWriter.bytes { writer in
            writer.beginMap(count: 4)
            writer.write(text: "digestID")
            writer.write(integer: digestID)
            writer.write(text: "random")
            writer.write(bytes: random)
        }
        return CBORWriter.embedding(content + members)
    }

    /// The member `nameSpaces` of IssuerSigned; nil if there is no element.
    var encodedNameSpaces: [UInt8]? {
        let shown = groups.filter { !$0.items.isEmpty }
        guard !shown.isEmpty else { return nil }
        return CBORWriter.bytes { writer in
            writer.beginMap(count: shown.count)
            for group in shown {
                writer.write(text: group.nameSpace.text)
                writer.beginArray(count: group.items.count)
                for item in group.items { writer.write(encoded: item) }
            }
        }
    }

    /// Writes the member `valueDigests` of the mobile security object.
    func encodeDigests(to writer: inout CBORWriter) {
        writer.beginMap(count: groups.count)
        for group in groups {
            writer.write(text: group.nameSpace.text)
            writer.beginMap(count: group.digests.count)
            for (digestID, digest) in group.digests.enumerated() {
                writer.write(integer: digestID)
                writer.write(bytes: digest)
            }
        }
    }
}

/// A random source in the form that shuffling takes.
private struct SourceGenerator<Source: RandomSource>: RandomNumberGenerator {
    private let source: Source

    init(_ source: Source) {
        self.source = source
    }

    mutating func next() -> UInt64 {
        source.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

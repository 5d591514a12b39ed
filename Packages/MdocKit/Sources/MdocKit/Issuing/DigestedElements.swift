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
    init(_ builder: IssuerSignedBuilder, _ random: some RandomSource) throws(MdocError) {
        guard let hash = builder.digestAlgorithm.hash else {
            throw MdocError(.invalidValue, "\(builder.digestAlgorithm) is no hash function of the standard")
        }
        guard builder.decoys.values.allSatisfy({ $0 >= 0 }) else {
            throw MdocError(.invalidValue, "a number of decoys must not be negative")
        }
        var generator = SourceGenerator(random)
        let decoyed = builder.decoys.filter { $0.value > 0 }.keys.sorted()
        let nameSpaces = builder.elements.nameSpaces + decoyed.filter { builder.elements[$0].isEmpty }
        guard !nameSpaces.isEmpty else {
            throw MdocError(.invalidValue, "a credential without elements needs at least one decoy")
        }
        for nameSpace in nameSpaces {
            let elements = builder.elements[nameSpace]
            let count = elements.count + (builder.decoys[nameSpace] ?? 0)
            var group = Group(nameSpace: nameSpace, digests: [])
            group.digests = (0..<count).map { _ in random.bytes(hash.digestSize) }
            let numbers = Array(0..<count).shuffled(using: &generator)
            for ((identifier, value), number) in zip(elements, numbers) {
                let item = Self.item(number, random.bytes(builder.randomSize), identifier, value)
                group.digests[number] = hash.digest(of: item)
                group.items.append(item)
            }
            groups.append(group)
        }
    }

    /// IssuerSignedItemBytes, the members in the order of Annex D.
    private static func item(
        _ digestID: Int,
        _ random: [UInt8],
        _ identifier: DataElementIdentifier,
        _ value: CBOR
    ) -> [UInt8] {
        let content = CBORWriter.bytes { writer in
            writer.beginMap(count: 4)
            writer.write(text: "digestID")
            writer.write(integer: digestID)
            writer.write(text: "random")
            writer.write(bytes: random)
            writer.write(text: "elementIdentifier")
            writer.write(text: identifier.text)
            writer.write(text: "elementValue")
            writer.write(value)
        }
        return CBORWriter.embedding(content)
    }

    /// The member `nameSpaces` of IssuerSigned; nil where there is no element.
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

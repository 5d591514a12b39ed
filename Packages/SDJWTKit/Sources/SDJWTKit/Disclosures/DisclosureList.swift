import JSONKit

/// The Disclosures of an SD-JWT, in their order.
///
/// Those that were read together stay together: a list of them is their batch, and nothing is kept for each.
struct DisclosureList: Sendable {
    private enum Storage: Sendable {
        case together(DisclosureBatch)
        case apart([Disclosure])
    }

    private let storage: Storage

    init(_ batch: DisclosureBatch) {
        storage = .together(batch)
    }

    init(_ disclosures: [Disclosure]) {
        storage = .apart(disclosures)
    }

    var count: Int {
        switch storage {
        case .together(let batch): batch.entries.count
        case .apart(let disclosures): disclosures.count
        }
    }

    subscript(place: Int) -> Disclosure {
        switch storage {
        case .together(let batch): Disclosure(batch, at: place)
        case .apart(let disclosures): disclosures[place]
        }
    }

    /// Each as a value of its own.
    var all: [Disclosure] {
        switch storage {
        case .together(let batch): batch.entries.indices.map { Disclosure(batch, at: $0) }
        case .apart(let disclosures): disclosures
        }
    }

    /// The claim's name in a Disclosure; nil for an element of an array.
    func claimName(at place: Int) -> String? {
        switch storage {
        case .together(let batch): batch.claimName(at: place)
        case .apart(let disclosures): disclosures[place].claimName
        }
    }

    /// The claim's value in a Disclosure where it is neither array nor object; nil where it is.
    func scalar(at place: Int) -> JSONValue? {
        switch storage {
        case .together(let batch): batch.scalar(at: place)
        case .apart(let disclosures): disclosures[place].contents.scalar(at: disclosures[place].valuePosition)
        }
    }

    /// What the text of a Disclosure decodes to, perhaps together with others.
    func contents(at place: Int) -> JSONDocument {
        switch storage {
        case .together(let batch): batch.contents
        case .apart(let disclosures): disclosures[place].contents
        }
    }

    /// Where in the contents the claim's value is.
    func valuePosition(at place: Int) -> JSONPosition {
        switch storage {
        case .together(let batch): batch.entries[place].value
        case .apart(let disclosures): disclosures[place].valuePosition
        }
    }

    /// The base64url text of a Disclosure.
    func encodedBytes(at place: Int) -> ArraySlice<UInt8> {
        switch storage {
        case .together(let batch): batch.encodedBytes(at: place)
        case .apart(let disclosures): disclosures[place].encodedBytes
        }
    }
}

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

    /// What a Disclosure says.
    func statement(at place: Int) -> Disclosure.Statement {
        switch storage {
        case .together(let batch): batch.statement(at: place)
        case .apart(let disclosures): disclosures[place].statement
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

package import CBORKit

/// The alternatives that a reader takes for a data element (ISO/IEC 18013-5 second edition, 10.2.5).
public struct AlternativeDataElements: Hashable, Sendable {
    /// The requested element.
    public let requestedElement: DataElementReference
    /// Sets of elements, each of which does in its place, in order of preference; they inherit intentToRetain.
    public let alternativeElementSets: [[DataElementReference]]

    /// Names alternatives for an element.
    public init(_ requestedElement: DataElementReference, alternativeElementSets: [[DataElementReference]]) {
        self.requestedElement = requestedElement
        self.alternativeElementSets = alternativeElementSets
    }

    /// The number of elements in all sets.
    var count: Int { alternativeElementSets.reduce(0) { $0 + $1.count } }
}

extension AlternativeDataElements: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        requestedElement = try DataElementReference(try cbor(map.required("requestedElement")), &reading)
        let limit = reading.options.limits.elements
        let sets = try cbor(map.required("alternativeElementSets"))
        var alternatives: [[DataElementReference]] = []
        var total = 0
        try reading.check(try cbor(sets.array()).count, limit: limit, "alternativeElementSets", at: sets)
        for set in try cbor(sets.array()) {
            total += try cbor(set.array()).count
            try reading.check(total, limit: limit, "alternative elements", at: sets)
            alternatives.append(try reading.list(set, limit: limit, of: "alternative elements"))
        }
        guard !alternatives.isEmpty else {
            throw MdocError(.invalidValue, "alternativeElementSets must not be empty", at: sets)
        }
        alternativeElementSets = alternatives
    }

    /// Writes the structure.
    func encode(to writer: inout CBORWriter) {
        writer.beginMap(count: 2)
        writer.write(text: "requestedElement")
        requestedElement.encode(to: &writer)
        writer.write(text: "alternativeElementSets")
        writer.beginArray(count: alternativeElementSets.count)
        for set in alternativeElementSets {
            writer.beginArray(count: set.count)
            for element in set { element.encode(to: &writer) }
        }
    }
}

extension DataElementReference: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let array = try cbor(view.array())
        guard array.count == 2 else {
            throw MdocError(.invalidValue, "an element is named by namespace and identifier", at: view)
        }
        let members = Array(array)
        self.init(try reading.name(members[0]), try reading.name(members[1]))
    }

    /// Writes `[namespace, identifier]`.
    func encode(to writer: inout CBORWriter) {
        writer.beginArray(count: 2)
        writer.write(text: nameSpace.text)
        writer.write(text: identifier.text)
    }
}

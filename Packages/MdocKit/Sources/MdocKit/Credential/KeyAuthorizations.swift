import CBORKit

/// The data elements that a device key may sign as device-signed elements (ISO/IEC 18013-5, 12.3.5).
///
/// It says nothing about issuer-signed elements.
public struct KeyAuthorizations: Hashable, Sendable {
    /// The namespaces of which every element may be signed.
    public let nameSpaces: [NameSpace]
    /// The single elements that may be signed, in other namespaces than those.
    public let dataElements: [DataElementReference]

    /// Authorizes whole namespaces and single elements.
    ///
    /// - Throws: ``MdocError`` with code `invalidValue` where nothing is authorized, or a namespace stands in both.
    public init(
        nameSpaces: [NameSpace] = [],
        dataElements: [DataElementReference] = []
    ) throws(MdocError) {
        self.nameSpaces = nameSpaces
        self.dataElements = dataElements
        if let violation { throw MdocError(.invalidValue, violation) }
    }

    /// The rule of the standard that received authorizations break, if they do.
    var violation: String? {
        if nameSpaces.isEmpty && dataElements.isEmpty { return "keyAuthorizations is there but empty" }
        return dataElements.first { nameSpaces.contains($0.nameSpace) }
            .map { "keyAuthorizations has \($0.nameSpace) both as a whole and by element" }
    }

    /// Whether the device key may sign an element.
    public func cover(_ element: DataElementReference) -> Bool {
        nameSpaces.contains(element.nameSpace) || dataElements.contains(element)
    }
}

extension KeyAuthorizations: MdocReadable {
    init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        var nameSpaces: [NameSpace] = []
        if let list = map.value(forKey: "nameSpaces") {
            for nameSpace in try cbor(list.array()) { nameSpaces.append(try reading.name(nameSpace)) }
        }
        var dataElements: [DataElementReference] = []
        if let groups = map.value(forKey: "dataElements") {
            for (key, list) in try cbor(groups.map()) {
                let nameSpace: NameSpace = try reading.name(key)
                for identifier in try cbor(list.array()) {
                    dataElements.append(DataElementReference(nameSpace, try reading.name(identifier)))
                }
            }
        }
        try reading.check(
            nameSpaces.count + dataElements.count,
            limit: reading.options.limits.elements,
            "authorizations",
            at: view
        )
        self.nameSpaces = nameSpaces
        self.dataElements = dataElements
    }

    /// Writes the structure.
    func encode(to writer: inout CBORWriter) {
        writer.beginMap(count: (nameSpaces.isEmpty ? 0 : 1) + (dataElements.isEmpty ? 0 : 1))
        if !nameSpaces.isEmpty {
            writer.write(text: "nameSpaces")
            writer.beginArray(count: nameSpaces.count)
            for nameSpace in nameSpaces { writer.write(text: nameSpace.text) }
        }
        if !dataElements.isEmpty {
            writer.write(text: "dataElements")
            encodeDataElements(to: &writer)
        }
    }

    private func encodeDataElements(to writer: inout CBORWriter) {
        var groups = DataElements<Bool>()
        for element in dataElements { groups[element.nameSpace, element.identifier] = true }
        writer.beginMap(count: groups.groups.count)
        for group in groups.groups {
            writer.write(text: group.nameSpace.text)
            writer.beginArray(count: group.elements.count)
            for element in group.elements { writer.write(text: element.identifier.text) }
        }
    }
}

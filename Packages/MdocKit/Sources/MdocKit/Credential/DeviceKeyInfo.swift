public import CBORKit
public import COSEKit

/// The key that a credential is bound to, and its authorizations (ISO/IEC 18013-5, 12.3.5).
public struct DeviceKeyInfo: Sendable {
    /// The device's public key, as received.
    public let deviceKey: COSEKey
    /// The data elements that the device key may sign; nil means none.
    public let keyAuthorizations: KeyAuthorizations?
    /// More about the key, by integer labels.
    public let keyInfo: CBORView?
}

extension DeviceKeyInfo: MdocReadable {
    private static let names = CBORMemberNames("deviceKey", optional: "keyAuthorizations", "keyInfo")

    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let members = try cbor(view.members(Self.names))
        deviceKey = try reading.key(members.required(0))
        keyAuthorizations = try members[1].map { (view) throws(MdocError) in try KeyAuthorizations(view, &reading) }
        keyInfo = members[2]
        if let keyInfo { _ = try cbor(keyInfo.map()) }
    }
}

/// The data elements that a device key may sign as device-signed elements (ISO/IEC 18013-5, 12.3.5).
///
/// It does not concern issuer-signed elements.
public struct KeyAuthorizations: Sendable {
    /// The namespaces of which every element may be signed.
    public let nameSpaces: [NameSpace]
    /// The single elements that may be signed, in other namespaces than those; received ones are decoded at each call.
    public var dataElements: [DataElementReference] {
        switch source {
        case .made(let elements): elements
        case .received(let groups): groups.flatMap { $0.references }
        }
    }

    private let source: Source

    /// The origin of the single elements.
    private enum Source: Sendable {
        case made([DataElementReference])
        case received([ReceivedGroup])
    }

    /// The elements of one namespace, checked to be names.
    private struct ReceivedGroup: Sendable {
        let nameSpace: NameSpace
        let identifiers: CBORArrayView

        var references: [DataElementReference] {
            identifiers.map { DataElementReference(nameSpace, DataElementIdentifier((try? $0.text()) ?? "")) }
        }
    }

    /// Authorizes whole namespaces and single elements.
    ///
    /// - Throws: ``MdocError`` with code `invalidValue` if nothing is authorized, a namespace stands in both, or a name is
    ///   empty.
    public init(
        nameSpaces: [NameSpace] = [],
        dataElements: [DataElementReference] = []
    ) throws(MdocError) {
        for element in dataElements { try element.requireNames() }
        guard !nameSpaces.contains(where: \.text.isEmpty) else {
            throw MdocError(.invalidValue, "a namespace must not be empty")
        }
        self.nameSpaces = nameSpaces
        source = .made(dataElements)
        if let violation { throw MdocError(.invalidValue, violation) }
    }

    /// The rule of the standard that received authorizations break, if they do.
    var violation: String? {
        let dataElements = self.dataElements
        if nameSpaces.isEmpty && dataElements.isEmpty { return "keyAuthorizations is there but empty" }
        let whole = Set(nameSpaces)
        return dataElements.first { whole.contains($0.nameSpace) }
            .map { "keyAuthorizations has \($0.nameSpace) both as a whole and by element" }
    }

    /// Returns `true` if the device key may sign an element.
    public func cover(_ element: DataElementReference) -> Bool {
        nameSpaces.contains(element.nameSpace) || dataElements.contains(element)
    }
}

/// The elements that a device key may sign, indexed for many look-ups.
struct AuthorizedElements {
    private let nameSpaces: Set<NameSpace>
    private let elements: Set<DataElementReference>

    /// Indexes the authorizations of a credential; without any, the set is empty.
    init(_ authorizations: KeyAuthorizations?) {
        nameSpaces = Set(authorizations?.nameSpaces ?? [])
        elements = Set(authorizations?.dataElements ?? [])
    }

    /// Returns `true` if the device key may sign an element.
    func contains(_ element: DataElementReference) -> Bool {
        nameSpaces.contains(element.nameSpace) || elements.contains(element)
    }
}

extension KeyAuthorizations: Hashable {
    /// Returns `true` if both authorize the same, in the same order.
    public static func == (left: KeyAuthorizations, right: KeyAuthorizations) -> Bool {
        left.nameSpaces == right.nameSpaces && left.dataElements == right.dataElements
    }

    /// Hashes the authorizations.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(nameSpaces)
        hasher.combine(dataElements)
    }
}

extension KeyAuthorizations: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        let limit = reading.options.limits.elements
        var nameSpaces: [NameSpace] = []
        if let view = map.value(forKey: "nameSpaces") {
            let list = try cbor(view.array())
            try reading.checkNameSpaces(list.count, at: view)
            for nameSpace in list { nameSpaces.append(try reading.name(nameSpace)) }
        }
        var groups: [ReceivedGroup] = []
        if let view = map.value(forKey: "dataElements") {
            let elements = try cbor(view.map())
            try reading.checkNameSpaces(elements.count, at: view)
            var total = 0
            for (key, group) in elements {
                let list = try cbor(group.array())
                total += list.count
                try reading.check(total, limit: limit, "authorizations", at: view)
                if !list.allHeads(satisfy: \.isOfName) {
                    for identifier in list { let _: DataElementIdentifier = try reading.name(identifier) }
                }
                groups.append(ReceivedGroup(nameSpace: try reading.name(key), identifiers: list))
            }
        }
        self.nameSpaces = nameSpaces
        source = .received(groups)
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

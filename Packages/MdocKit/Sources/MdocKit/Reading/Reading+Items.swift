package import CBORKit

extension Reading {
    /// Refuses a number of items over a limit.
    package func check(_ count: Int, limit: Int, _ items: String, at view: CBORView) throws(MdocError) {
        guard count <= limit else {
            throw MdocError(.limitExceeded, "\(count) \(items) exceed the limit of \(limit)", at: view)
        }
    }

    /// Checks the number of namespaces against the limit.
    package func checkNameSpaces(_ count: Int, at view: CBORView) throws(MdocError) {
        try check(count, limit: options.limits.nameSpaces, "namespaces", at: view)
    }

    /// A name; an empty one is refused (8.1).
    package func name<Name: ExactName>(_ view: CBORView) throws(MdocError) -> Name {
        Name(try nonEmptyText(view))
    }

    /// A document type; the usual one is recognized without decoding it.
    package func name(_ view: CBORView) throws(MdocError) -> DocType {
        view.isText(DocType.mDL.text) ? .mDL : DocType(try nonEmptyText(view))
    }

    /// A namespace; the usual one is recognized without decoding it.
    package func name(_ view: CBORView) throws(MdocError) -> NameSpace {
        view.isText(NameSpace.mDL.text) ? .mDL : NameSpace(try nonEmptyText(view))
    }

    private func nonEmptyText(_ view: CBORView) throws(MdocError) -> String {
        let text = try cbor(view.text())
        guard !text.isEmpty else { throw MdocError(.invalidValue, "a name must not be empty", at: view) }
        return text
    }

    /// An optional member, or nil for an absent one.
    ///
    /// A member without a value counts as absent if tolerated.
    package mutating func present(_ view: CBORView?) throws(MdocError) -> CBORView? {
        guard let view, view.isNull || view.isUndefined else { return view }
        try tolerate(.nullForAbsent, at: view)
        return nil
    }

    /// An array of structures; an empty one only where that is allowed.
    package mutating func list<Element: MdocReadable>(
        _ view: CBORView,
        limit: Int,
        of items: String,
        mayBeEmpty: Bool = false
    ) throws(MdocError) -> [Element] {
        let array = try cbor(view.array())
        try check(array.count, limit: limit, items, at: view)
        guard mayBeEmpty || array.count > 0 else {
            throw MdocError(.invalidValue, "there must be at least one of the \(items)", at: view)
        }
        var elements: [Element] = []
        elements.reserveCapacity(array.count)
        for element in array { elements.append(try Element(element, &self)) }
        return elements
    }

    /// An array of structures that may be absent, then there are none; an empty one counts as absent if tolerated.
    package mutating func optionalList<Element: MdocReadable>(
        _ view: CBORView?,
        limit: Int,
        of items: String
    ) throws(MdocError) -> [Element] {
        guard let view else { return [] }
        let elements: [Element] = try list(view, limit: limit, of: items, mayBeEmpty: true)
        if elements.isEmpty { try tolerate(.emptyMember, at: view) }
        return elements
    }

    /// Data elements by namespace; a namespace without elements only where that is allowed.
    package mutating func elements<Value>(
        _ view: CBORView,
        mayBeEmpty: Bool,
        _ value: (CBORView) throws(MdocError) -> Value
    ) throws(MdocError) -> DataElements<Value> {
        var elements = DataElements<Value>()
        for (nameSpace, members) in try elementGroups(view, mayBeEmpty: mayBeEmpty) {
            var values: [(identifier: DataElementIdentifier, value: Value)] = []
            values.reserveCapacity(members.count)
            for (key, member) in members { values.append((try name(key), try value(member))) }
            elements.append(nameSpace, values)
        }
        return elements
    }

    /// The members of each namespace, not decoded; a namespace without any is refused.
    package func elementGroups(
        _ view: CBORView,
        mayBeEmpty: Bool
    ) throws(MdocError) -> [(nameSpace: NameSpace, members: CBORMapView)] {
        let map = try cbor(view.map())
        try checkNameSpaces(map.count, at: view)
        var groups: [(nameSpace: NameSpace, members: CBORMapView)] = []
        var total = 0
        for (key, group) in map {
            let members = try cbor(group.map())
            total += members.count
            try check(total, limit: options.limits.elements, "data elements", at: view)
            guard members.count > 0 else {
                throw MdocError(.invalidValue, "the namespace has no data elements", at: group)
            }
            groups.append((try name(key), members))
        }
        guard mayBeEmpty || map.count > 0 else {
            throw MdocError(.invalidValue, "there must be at least one namespace", at: view)
        }
        return groups
    }
}

extension CBORHead {
    /// Indicates the head of a text that is a name, as far as the head tells: one of indefinite length has to be read.
    var isOfName: Bool { kind == .textString && argument ?? 0 > 0 }
}

package import CBORKit

/// The items of a namespace, in the order received; each is made when it is asked for.
public struct IssuerSignedItems: RandomAccessCollection, Sendable {
    /// Items that were indexed along with the message; nil if they were read one by one.
    private let records: CBORRecords?
    /// Items that were read one by one, since one of them is not in the strict form.
    private let separate: [CBORMembers]

    /// No items.
    init() {
        records = nil
        separate = []
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of items.
    public var endIndex: Int { records?.count ?? separate.count }

    /// An item.
    public subscript(position: Int) -> IssuerSignedItem {
        IssuerSignedItem(checked: records?[position] ?? separate[position])
    }

    /// The first item with an identifier.
    public subscript(identifier: DataElementIdentifier) -> IssuerSignedItem? {
        guard let records else { return first { $0.elementIdentifier == identifier } }
        return records.firstIndex(of: identifier.text, asMember: IssuerSignedItem.Member.elementIdentifier)
            .map { IssuerSignedItem(checked: records[$0]) }
    }

    /// The first item that a check refuses; makes no views.
    ///
    /// - Parameter isExpected: Checks an item by its digestID, its IssuerSignedItemBytes and the number of bytes of its
    ///   random.
    func firstIndex(
        failing isExpected: (DigestID, _ taggedBytes: Span<UInt8>, _ randomSize: Int) -> Bool
    ) -> Int? {
        guard let records else {
            return firstIndex { !isExpected($0.digestID, $0.taggedBytes.span, $0.randomSize) }
        }
        return records.firstIndex(failing: { place, head, taggedBytes in
            let random = head(IssuerSignedItem.Member.random).argument.flatMap { Int(exactly: $0) }
            return isExpected(
                IssuerSignedItem.digestID(head(IssuerSignedItem.Member.digestID)),
                taggedBytes,
                random ?? self[place].random.count
            )
        })
    }

    /// The identifier of the first item that another one before it has, or nil.
    var firstRepeatedIdentifier: DataElementIdentifier? {
        guard let records else { return map(\.elementIdentifier).firstRepeated }
        return records.firstRepetition(ofMember: IssuerSignedItem.Member.elementIdentifier)
            .map { self[$0].elementIdentifier }
    }
}

extension IssuerSignedItems: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let array = try cbor(view.array())
        try reading.check(array.count, limit: reading.options.limits.elements, "items", at: view)
        guard array.count > 0 else {
            try reading.tolerate(.emptyNameSpace, at: view)
            (records, separate) = (nil, [])
            return
        }
        // Records indexed along with the message have been checked against the strict form.
        if let records = try cbor(array.embeddedRecords(IssuerSignedItem.names)) {
            if !IssuerSignedItem.areValid(records) {
                // Finds the invalid record, and the reason.
                for members in records { try IssuerSignedItem.check(members, &reading) }
            }
            self.records = records
            separate = []
            return
        }
        var items: [CBORMembers] = []
        items.reserveCapacity(array.count)
        for element in array {
            let item = try reading.embedded(element)
            let members = try cbor(item.members(IssuerSignedItem.names))
            try IssuerSignedItem.check(members, &reading)
            items.append(members)
        }
        records = nil
        separate = items
    }
}

package import CBORKit

/// The options for reading a message, and the deviations tolerated so far; passed on to the parts of the message.
package struct Reading {
    package let options: MdocReadingOptions
    package private(set) var deviations: [MdocDeviation] = []

    /// The options for reading every item: the strict form, with deviations noted.
    private let form: CBORReadingOptions
    /// The number of places listed for each tolerance in the current part of the message.
    private var places: [MdocTolerance: Int] = [:]
    /// The number of embedded items that were read separately because of a tolerated form.
    private var deviatingItems = 0

    /// The largest number of places listed for one tolerance in each document, since a forged message can have very
    /// many.
    private static let mostPlaces = 4
    /// The number of places in a message from which on each document lists only one for each tolerance.
    private static let mostRepeatedPlaces = 64

    package init(_ options: MdocReadingOptions) {
        var form = CBORReadingOptions()
        form.limits.size = options.limits.messageSize
        form.limits.items = options.limits.items
        form.limits.depth = options.limits.nestingDepth
        form.requiresShortestArguments = true
        form.requiresDefiniteLengths = true
        form.notesDeviations = true
        form.indexesEmbeddedItems = true
        self.form = form
        self.options = options
    }

    /// Begins a part of the message with its own list of deviations, and returns the number of deviations before it.
    package mutating func beginPart() -> Int {
        places = [:]
        return deviations.count
    }

    /// Lets a deviation pass if it is tolerated, and notes it.
    package mutating func tolerate(_ tolerance: MdocTolerance, at view: CBORView) throws(MdocError) {
        try tolerate(tolerance) { view.path }
    }

    /// Lets a deviation pass if it is tolerated, and notes it.
    ///
    /// - Parameter rule: The rule of the standard, which the refusal names as its cause.
    package mutating func tolerate(
        _ tolerance: MdocTolerance,
        at view: CBORView,
        breaking rule: String
    ) throws(MdocError) {
        try tolerate(tolerance, breaking: rule) { view.path }
    }

    /// Lets a tolerated deviation pass, and notes it as one of the whole message.
    package mutating func tolerate(_ tolerance: MdocTolerance) throws(MdocError) {
        try tolerate(tolerance) { CBORPath() }
    }

    private mutating func tolerate(
        _ tolerance: MdocTolerance,
        breaking rule: String? = nil,
        path: () -> CBORPath
    ) throws(MdocError) {
        guard options.tolerances.contains(tolerance) else {
            let cause = rule.map { MdocError(.invalidValue, $0) }
            throw MdocError(.deviation, "not tolerated: \(tolerance)", path: path(), cause: cause)
        }
        let most = deviations.count < Self.mostRepeatedPlaces ? Self.mostPlaces : 1
        guard places[tolerance, default: 0] < most else { return }
        places[tolerance, default: 0] += 1
        deviations.append(MdocDeviation(tolerance: tolerance, path: path()))
    }

    /// Checks and indexes a whole message.
    package mutating func message(_ bytes: ArraySlice<UInt8>) throws(MdocError) -> CBORView {
        let limit = options.limits.messageSize
        guard bytes.count <= limit else {
            throw MdocError(.limitExceeded, "a message of \(bytes.count) bytes exceeds the limit of \(limit)")
        }
        return try document { (options) throws(CBORError) in try CBORDocument(bytes, options: options) }
    }

    /// The item within a tag-24 byte string.
    package mutating func embedded(_ view: CBORView) throws(MdocError) -> CBORView {
        // An item indexed along with the message has been checked against the strict form.
        if view.tag == 24, let item = view.embeddedItem { return item }
        let content = try cbor(view.content(ofTag: 24))
        deviatingItems += 1
        try check(deviatingItems, limit: options.limits.deviatingItems, "items in a form that is tolerated", at: view)
        return try self.content(of: content)
    }

    /// The map within a tag-24 byte string.
    package mutating func embeddedMap(_ view: CBORView) throws(MdocError) -> CBORMapView {
        let item = try embedded(view)
        return try cbor(item.map())
    }

    /// The members of the map within a tag-24 byte string.
    package mutating func embeddedMembers(_ view: CBORView, _ names: CBORMemberNames) throws(MdocError) -> CBORMembers {
        let item = try embedded(view)
        return try cbor(item.members(names))
    }

    /// The item within a byte string.
    package mutating func content(of byteString: CBORView) throws(MdocError) -> CBORView {
        try document { (options) throws(CBORError) in try byteString.embedded(options: options) }
    }

    /// Parses, and notes deviations from the strict form.
    @inline(__always)
    private mutating func document(
        _ parse: (CBORReadingOptions) throws(CBORError) -> CBORDocument
    ) throws(MdocError) -> CBORView {
        let document = try cbor(parse(form))
        if let item = document.firstLongForm { try tolerate(.nonPreferredEncoding, at: item) }
        if let item = document.firstIndefiniteLength { try tolerate(.indefiniteLength, at: item) }
        return document.root
    }
}

/// Turns the error of a CBOR access into one of this module.
@inline(__always)
package func cbor<Value>(_ access: @autoclosure () throws(CBORError) -> Value) throws(MdocError) -> Value {
    do {
        return try access()
    } catch {
        throw MdocError(reading: error)
    }
}

/// A structure of the standard that is read from a CBOR item.
package protocol MdocReadable {
    /// Reads the structure.
    init(_ view: CBORView, _ reading: inout Reading) throws(MdocError)
}

extension MdocReadable {
    /// Reads a structure that is a whole message, and reports the tolerated deviations.
    package static func read(
        _ bytes: ArraySlice<UInt8>,
        _ options: consuming MdocReadingOptions
    ) throws(MdocError) -> (structure: Self, deviations: [MdocDeviation]) {
        var reading = Reading(options)
        let structure = try Self(try reading.message(bytes), &reading)
        return (structure, reading.deviations)
    }
}

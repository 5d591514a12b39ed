public import CBORKit
public import MdocKit

/// A category of vehicles that the holder may drive (ISO/IEC 18013-5, 7.2.4); `driving_privileges` is an array of these.
public struct DrivingPrivilege: Hashable, Sendable {
    /// A condition or restriction (ISO/IEC 18013-2, Annex A).
    public struct Code: Hashable, Sendable {
        /// The code.
        public let code: String
        /// The sign between code and value, such as `<=`.
        public let sign: String?
        /// The value.
        public let value: String?

        /// Creates a condition.
        public init(_ code: String, sign: String? = nil, value: String? = nil) {
            self.code = code
            self.sign = sign
            self.value = value
        }
    }

    /// The category (ISO/IEC 18013-1, Annex B), such as `A` or `B1`.
    public let vehicleCategoryCode: String
    /// Since when.
    public let issueDate: FullDate?
    /// Until when.
    public let expiryDate: FullDate?
    /// Under which conditions; empty for none.
    public let codes: [Code]

    /// Creates a privilege.
    public init(
        vehicleCategoryCode: String,
        issueDate: FullDate? = nil,
        expiryDate: FullDate? = nil,
        codes: [Code] = []
    ) {
        self.vehicleCategoryCode = vehicleCategoryCode
        self.issueDate = issueDate
        self.expiryDate = expiryDate
        self.codes = codes
    }
}

extension DrivingPrivilege: DataElementConvertible {
    /// Reads a privilege; unknown members are ignored.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        let map = try DataElementMap(view)
        vehicleCategoryCode = try map.required("vehicle_category_code", &reading)
        issueDate = try map.optional("issue_date", &reading)
        expiryDate = try map.optional("expiry_date", &reading)
        codes = try map.optional("codes", &reading) ?? []
    }

    /// A map, the members in the order of Annex D.
    public func dataElement() throws(MdocError) -> CBOR {
        var map: CBORMap = ["vehicle_category_code": .text(vehicleCategoryCode)]
        if let issueDate { map.append("issue_date", issueDate.dataElement()) }
        if let expiryDate { map.append("expiry_date", expiryDate.dataElement()) }
        if !codes.isEmpty { map.append("codes", try codes.dataElement()) }
        return .map(map)
    }
}

extension DrivingPrivilege.Code: DataElementConvertible {
    /// Reads a condition; unknown members are ignored.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        let map = try DataElementMap(view)
        code = try map.required("code", &reading)
        sign = try map.optional("sign", &reading)
        value = try map.optional("value", &reading)
    }

    /// A map.
    public func dataElement() -> CBOR {
        var map: CBORMap = ["code": .text(code)]
        if let sign { map.append("sign", .text(sign)) }
        if let value { map.append("value", .text(value)) }
        return .map(map)
    }
}

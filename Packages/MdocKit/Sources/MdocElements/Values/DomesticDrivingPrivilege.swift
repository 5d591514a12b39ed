public import CBORKit
public import MdocKit

/// A class of vehicles that the holder may drive, with its restrictions and endorsements, as the AAMVA has it.
public struct DomesticDrivingPrivilege: Hashable, Sendable {
    /// A class of vehicles.
    public struct VehicleClass: Hashable, Sendable {
        /// The code of the class.
        public let code: String
        /// The description of the class.
        public let description: String
        /// Since when.
        public let issueDate: FullDate?
        /// Until when.
        public let expiryDate: FullDate?

        /// Creates a class.
        public init(code: String, description: String, issueDate: FullDate? = nil, expiryDate: FullDate? = nil) {
            self.code = code
            self.description = description
            self.issueDate = issueDate
            self.expiryDate = expiryDate
        }
    }

    /// A restriction or an endorsement.
    public struct Remark: Hashable, Sendable {
        /// Its code, if it has one.
        public let code: String?
        /// The description of the restriction.
        public let description: String

        /// Creates a remark.
        public init(code: String? = nil, description: String) {
            self.code = code
            self.description = description
        }
    }

    /// The class of vehicles, if one is named.
    public let vehicleClass: VehicleClass?
    /// The restrictions; empty for none.
    public let restrictions: [Remark]
    /// The endorsements; empty for none.
    public let endorsements: [Remark]

    /// Creates a privilege.
    public init(vehicleClass: VehicleClass?, restrictions: [Remark] = [], endorsements: [Remark] = []) {
        self.vehicleClass = vehicleClass
        self.restrictions = restrictions
        self.endorsements = endorsements
    }
}

extension DomesticDrivingPrivilege: DataElementConvertible {
    /// Reads a privilege; unknown members are ignored.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        let map = try cbor(view.map())
        vehicleClass = try map.value(forKey: "domestic_vehicle_class").map { (view) throws(MdocError) in
            try VehicleClass(dataElement: view, reading: &reading)
        }
        restrictions = try Self.remarks(map, "domestic_vehicle_restriction", &reading)
        endorsements = try Self.remarks(map, "domestic_vehicle_endorsement", &reading)
    }

    /// A map.
    public func dataElement() -> CBOR {
        var map = CBORMap()
        if let vehicleClass { map.append("domestic_vehicle_class", vehicleClass.dataElement()) }
        for (name, remarks) in [
            ("domestic_vehicle_restriction", restrictions), ("domestic_vehicle_endorsement", endorsements),
        ] where !remarks.isEmpty {
            map.append(.text("\(name)s"), .array(remarks.map { $0.dataElement(named: name) }))
        }
        return .map(map)
    }

    private static func remarks(
        _ map: CBORMapView,
        _ name: String,
        _ reading: inout DataElementReading
    ) throws(MdocError) -> [Remark] {
        guard let list = map.value(forKey: "\(name)s") else { return [] }
        var remarks: [Remark] = []
        for view in try cbor(list.array()) {
            let map = try DataElementMap(view)
            let remark = Remark(
                code: try map.optional("\(name)_code", &reading),
                description: try map.required("\(name)_description", &reading)
            )
            remarks.append(remark)
        }
        return remarks
    }
}

extension DomesticDrivingPrivilege.VehicleClass: DataElementConvertible {
    /// Reads a class; unknown members are ignored.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        let map = try DataElementMap(view)
        code = try map.required("domestic_vehicle_class_code", &reading)
        description = try map.required("domestic_vehicle_class_description", &reading)
        issueDate = try map.optional("issue_date", &reading)
        expiryDate = try map.optional("expiry_date", &reading)
    }

    /// A map.
    public func dataElement() -> CBOR {
        var map: CBORMap = [
            "domestic_vehicle_class_code": .text(code), "domestic_vehicle_class_description": .text(description),
        ]
        if let issueDate { map.append("issue_date", issueDate.dataElement()) }
        if let expiryDate { map.append("expiry_date", expiryDate.dataElement()) }
        return .map(map)
    }
}

extension DomesticDrivingPrivilege.Remark {
    fileprivate func dataElement(named name: String) -> CBOR {
        var map = CBORMap()
        if let code { map.append(.text("\(name)_code"), .text(code)) }
        map.append(.text("\(name)_description"), .text(description))
        return .map(map)
    }
}

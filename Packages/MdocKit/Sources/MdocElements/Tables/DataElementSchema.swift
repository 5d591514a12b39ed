public import MdocKit

/// The data elements of a type of document, namespace by namespace, as data.
///
/// ```swift
/// for deviation in DataElementSchema.mDL.deviations(of: builder.elements) { print(deviation) }
/// ```
///
/// Document types and namespaces are open sets: elements without a table are left as they are.
public struct DataElementSchema: DataElementRules, Hashable {
    /// The type of document.
    public let docType: DocType
    /// The tables.
    public let nameSpaces: [NameSpaceSchema]

    /// Describes a type of document.
    public init(docType: DocType, nameSpaces: [NameSpaceSchema]) {
        self.docType = docType
        self.nameSpaces = nameSpaces
    }

    /// The table of a namespace, or nil if absent.
    public subscript(nameSpace: NameSpace) -> NameSpaceSchema? {
        nameSpaces.first { $0.nameSpace == nameSpace }
    }

    /// The row about an element, or nil if no table has one.
    public subscript(element: DataElementReference) -> DataElementDefinition? {
        self[element.nameSpace]?[element.identifier]
    }
}

extension DataElementSchema {
    /// The mobile driving licence (ISO/IEC 18013-5, 7.2), with the elements of the AAMVA.
    public static let mDL = DataElementSchema(docType: .mDL, nameSpaces: [.mDL, .aamva])
    /// The European person identification data.
    public static let euPID = DataElementSchema(docType: .euPID, nameSpaces: [.euPID])
    /// The European person identification data as early tests spelled it.
    public static let euPIDEarly = DataElementSchema(
        docType: .euPIDEarly,
        nameSpaces: [NameSpaceSchema(.euPIDEarly, NameSpaceSchema.euPID.definitions)]
    )
    /// The European age verification: statements of age and nothing else.
    public static let euAgeVerification = DataElementSchema(
        docType: .euAgeVerification,
        nameSpaces: [
            NameSpaceSchema(
                .euAgeVerification,
                isClosed: true,
                [.init("age_over_18", .bool, .mandatory), .init(.ageOver, .bool)]
            )
        ]
    )
    /// The photo ID (ISO/IEC TS 23220-4).
    public static let photoID = DataElementSchema(
        docType: .photoID,
        nameSpaces: [.iso23220, .photoID, .digitalTravelCredential]
    )
    /// The photo ID under the document type that later drafts and trust lists have, with its elements in either spelling of the
    /// namespace.
    public static let photoIDLowercase = DataElementSchema(
        docType: .photoIDLowercase,
        nameSpaces: photoID.nameSpaces + [
            NameSpaceSchema("org.iso.23220.photoid.1", NameSpaceSchema.photoID.definitions)
        ]
    )

    /// Every type of document that there are tables for.
    public static let known: [DataElementSchema] = [
        .mDL, .euPID, .euPIDEarly, .euAgeVerification, .photoID, .photoIDLowercase,
    ]

    /// The tables for a type of document, or nil if there are none.
    public static func schema(for docType: DocType) -> DataElementSchema? {
        known.first { $0.docType == docType }
    }
}

extension MdocMatch {
    /// The elements to return that a wallet may keep back from a reader that does not authenticate itself.
    ///
    /// A mobile driving licence must not make reader authentication a condition of its mandatory elements (ISO/IEC
    /// 18013-5, 12.5); other documents may.
    public var withholdableWithoutReaderAuthentication: [DataElementReference] {
        guard credential.docType == .mDL else { return disclosed }
        return disclosed.filter { DataElementSchema.mDL[$0]?.presence != .mandatory }
    }
}

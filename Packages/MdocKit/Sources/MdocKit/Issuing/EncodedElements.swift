import CBORKit

/// The elements of credentials, encoded once however many credentials get them.
struct EncodedElements {
    /// The elements of one namespace.
    struct Group {
        let nameSpace: NameSpace
        /// The members elementIdentifier and elementValue of each item, encoded.
        let members: [[UInt8]]
        /// The number of decoy digests in the namespace.
        let decoys: Int

        /// The number of digests.
        var digestCount: Int { members.count + decoys }
    }

    let groups: [Group]

    /// Encodes the elements of a builder; without elements and decoys, there is one decoy digest.
    ///
    /// - Throws: ``MdocError`` with code `invalidValue` if the number of decoys is negative, or a namespace gets more
    ///   digests than there are numbers for.
    init(_ builder: IssuerSignedBuilder) throws(MdocError) {
        guard builder.decoys.values.allSatisfy({ $0 >= 0 && $0 < 1 << 31 }) else {
            throw MdocError(.invalidValue, "a number of decoys must not be negative, and below 2^31")
        }
        var decoys = builder.decoys.filter { $0.value > 0 }
        if builder.elements.isEmpty, decoys.isEmpty { decoys = [Self.usualNameSpace(of: builder.docType): 1] }
        let others = decoys.keys.filter { builder.elements[$0].isEmpty }.sorted()
        var groups: [Group] = []
        for nameSpace in builder.elements.nameSpaces + others {
            let group = Group(
                nameSpace: nameSpace,
                members: builder.elements[nameSpace].map(Self.members),
                decoys: decoys[nameSpace] ?? 0
            )
            guard DigestID(group.digestCount) != nil else {
                throw MdocError(.invalidValue, "\(nameSpace) has more digests than there are numbers below 2^31")
            }
            groups.append(group)
        }
        self.groups = groups
    }

    /// The namespace of a type of document, most of which have one of the same name.
    private static func usualNameSpace(of docType: DocType) -> NameSpace {
        switch docType {
        case .mDL: .mDL
        case .photoID, .photoIDLowercase: .iso23220
        default: NameSpace(docType.text)
        }
    }

    private static func members(_ element: (identifier: DataElementIdentifier, value: CBOR)) -> [UInt8] {
        CBORWriter.bytes { writer in
            writer.write(text: "elementIdentifier")
            writer.write(text: element.identifier.text)
            writer.write(text: "elementValue")
            writer.write(element.value)
        }
    }
}

import CBORKit
import COSEKit
import CommandSupport
import CryptoCore
import JSONKit
import MdocElements
import MdocKit

extension IssuerSigned {
    /// The items by namespace, the signature's headers and the mobile security object.
    ///
    /// - Parameter isWhole: Indicates that it is the whole input; otherwise the structure around it lists the
    ///   deviations.
    func outline(isWhole: Bool) -> Outline {
        .fields([
            "docType": .verbatim(docType.text),
            "nameSpaces": .fields(nameSpaces.map { (name: $0.nameSpace.text, value: .list($0.items.map(\.outline))) }),
            "issuerAuth": .fields([
                "protected": COSEOutline.outline(issuerAuth.headers.protected),
                "unprotected": COSEOutline.outline(issuerAuth.headers.unprotected),
            ]),
            "mobileSecurityObject": mobileSecurityObject.outline,
            "deviations": isWhole ? deviations.outline : nil,
        ])
    }
}

extension IssuerSignedItem {
    fileprivate var outline: Outline {
        .forms(
            people: .text("\(elementIdentifier) (digestID \(digestID)): \(elementValue.readableText)"),
            machines: [
                "elementIdentifier": .string(elementIdentifier.text), "digestID": .integer(digestID.value),
                "elementValue": JSONValue(dataElement: elementValue),
            ]
        )
    }
}

extension CBORView {
    /// The value in diagnostic notation; a long byte string by its size only.
    var readableText: String {
        guard kind == .byteString else { return diagnosticNotation() }
        do {
            return try bytes().shortText
        } catch {
            return "not readable: \(error)"
        }
    }
}

extension MobileSecurityObject {
    /// The content of the issuer's signature.
    var outline: Outline {
        .fields([
            "version": .text("\(version)"),
            "docType": .verbatim(docType.text),
            "digestAlgorithm": .text("\(digestAlgorithm)"),
            "valueDigests": .fields(
                valueDigests.nameSpaces.map { (name: "\($0)", value: .text("\(valueDigests[$0].count) digests")) }
            ),
            "deviceKey": deviceKeyInfo.deviceKey.outline,
            "keyAuthorizations": deviceKeyInfo.keyAuthorizations.map(\.outline),
            "validityInfo": validityInfo.outline,
            "status": status.map(\.outline),
        ])
    }
}

extension KeyAuthorizations {
    fileprivate var outline: Outline {
        .list((nameSpaces.map { "\($0)" } + dataElements.map { "\($0)" }).map { .text($0) })
    }
}

extension MobileSecurityObject.Status {
    /// The places in lists that tell the document's status.
    var outline: Outline {
        .fields([
            "status_list": statusList.map { list in
                .forms(
                    people: .text("entry \(list.index) of \(list.uri)"),
                    machines: ["index": .integer(list.index), "uri": .string(list.uri)]
                )
            },
            "identifier_list": identifierList.map { .text("\($0.identifier.shortText) in \($0.uri)") },
        ])
    }
}

extension ValidityInfo {
    /// The four times.
    var outline: Outline {
        .fields([
            "signed": .text(signed.utcText),
            "validFrom": .text(validFrom.utcText),
            "validUntil": .text(validUntil.utcText),
            "expectedUpdate": expectedUpdate.map { .text($0.utcText) },
        ])
    }
}

extension DeviceResponse {
    /// Status, documents and errors.
    var outline: Outline {
        .fields([
            "version": .text("\(version)"),
            "status": .text("\(status)"),
            "documents": .list(documents.map(\.outline)),
            "unreadable documents": unreadableDocuments.isEmpty
                ? nil : .list(unreadableDocuments.map { .text("\($0.docType?.text ?? "unknown"): \($0.error)") }),
            "documentErrors": documentErrors.isEmpty
                ? nil : .fields(documentErrors.map { (name: $0.docType.text, value: .text("\($0.code)")) }),
            "deviations": deviations.outline,
        ])
    }
}

extension MdocDocument {
    fileprivate var outline: Outline {
        .fields([
            "docType": .verbatim(docType.text),
            "issuerSigned": issuerSigned.outline(isWhole: false),
            "deviceSigned": .fields([
                "nameSpaces": .list(deviceSigned.nameSpaces.references.map { .text("\($0)") }),
                "deviceAuth": .text(deviceSigned.deviceAuth.name),
            ]),
            "errors": errors.isEmpty ? nil : .list(errors.references.map { .text("\($0)") }),
        ])
    }
}

extension DeviceAuth {
    fileprivate var name: String {
        switch self {
        case .deviceSignature: "deviceSignature"
        case .deviceMac: "deviceMac"
        }
    }
}

extension DeviceRequest {
    /// The requested elements, and the readers that request them.
    var outline: Outline {
        .fields([
            "version": .text("\(version)"),
            "docRequests": .list(docRequests.map(\.outline)),
            "readerAuthAll": readerAuthAll.isEmpty ? nil : .text("\(readerAuthAll.count) signatures"),
            "deviations": deviations.outline,
        ])
    }
}

extension DocRequest {
    fileprivate var outline: Outline {
        .fields([
            "docType": .verbatim(itemsRequest.docType.text),
            "nameSpaces": .fields(
                itemsRequest.nameSpaces.groups.map { group in
                    let names = group.elements.map { "\($0.identifier)\($0.value ? " (intent to retain)" : "")" }
                    return (name: group.nameSpace.text, value: .list(names.map { .text($0) }))
                }
            ),
            "readerAuth": readerAuth.map { COSEOutline.outline($0.headers.unprotected) } ?? "none",
        ])
    }
}

extension [MdocDeviation] {
    /// The deviations with their places, or nil without any.
    var outline: Outline? {
        isEmpty ? nil : .list(map { .text("\($0)") })
    }
}

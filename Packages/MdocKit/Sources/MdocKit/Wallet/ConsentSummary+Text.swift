import CryptoCore

extension ConsentSummary {
    /// The summary as lines of text for a person, in English.
    ///
    /// Every name is in quotation marks and escaped, so that it cannot pass for a line or a word of the summary. A long
    /// name that only the reader knows is cut off, and of many missing ones only the first are listed. Nothing that
    /// leaves is omitted.
    public var lines: [String] {
        documents.flatMap(lines(of:))
            + unanswered.prefix(Self.mostListed).map { docRequest in
                let asks = docRequest.obstacle == .retentionDeclined ? "asks to keep parts of" : "asks for"
                return "\(docRequest.proof) \(asks) \(Self.cut(docRequest.docType.text)): nothing is sent"
            } + Self.more(than: Self.mostListed, of: unanswered.count, "requests to which nothing is sent")
    }

    /// The largest number of listed names that only the reader knows.
    private static let mostListed = 8
    /// The largest number of characters shown of such a name.
    private static let mostShown = 64

    private func lines(of document: Document) -> [String] {
        let docType = Self.quoted(document.docType.text)
        var lines = ["\(document.proof) gets of \(docType)\(document.isEncrypted ? ", encrypted" : ""):"]
        if document.elements.isEmpty { lines.append("  no element") }
        for element in document.elements { lines.append("  \(Self.text(of: element))") }
        for missing in document.missing.prefix(Self.mostListed) {
            let reason = document.declinedForRetention.contains(missing) ? ", lest it be kept" : ""
            lines.append("  asked for, and not sent\(reason): \(Self.cut(missing))")
        }
        return lines + Self.more(than: Self.mostListed, of: document.missing.count, "asked for, and not sent")
    }

    private static func more(than listed: Int, of count: Int, _ what: String) -> [String] {
        count > listed ? ["  \(count - listed) more \(what)"] : []
    }

    fileprivate static func text(of party: ReaderParty) -> String {
        let authority = party.authority.name ?? "\(party.authority.certificate.subject)"
        return
            "The reader \(quoted("\(party.certificate.subject)")) (it signed, and \(quoted(authority)) vouches for it)"
    }

    private static func text(of element: Element) -> String {
        var text = quoted(element.reference)
        if element.source == .device { text += ", stated by this device" }
        if element.isRetained { text += ", to be kept" }
        for answer in element.answers {
            switch answer.form {
            case .itself: continue
            case .age: text += ", in answer to \(cut(answer.requested))"
            case .alternative(let set):
                text += ", in place of \(cut(answer.requested))"
                let others = set.filter { $0 != element.reference }
                if !others.isEmpty { text += " with \(others.map { quoted($0) }.joined(separator: ", "))" }
            }
        }
        return text
    }

    private static func quoted(_ reference: DataElementReference) -> String {
        "\(quoted(reference.nameSpace.text))/\(quoted(reference.identifier.text))"
    }

    private static func cut(_ reference: DataElementReference) -> String {
        "\(cut(reference.nameSpace.text))/\(cut(reference.identifier.text))"
    }

    /// A name in quotation marks, with those in the name itself escaped.
    private static func quoted(_ text: some StringProtocol) -> String {
        let escaped = text.escapedForDisplay(backslash: true).unicodeScalars.reduce(into: "") { text, scalar in
            text.unicodeScalars.append(contentsOf: scalar == "\"" ? ["\\", scalar] : [scalar])
        }
        return "\"\(escaped)\""
    }

    /// The beginning of a name of the reader's choice.
    private static func cut(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: mostShown, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return quoted(text) }
        return "\(quoted(text[..<end]))…"
    }
}

extension ConsentSummary.Proof: CustomStringConvertible {
    /// The reader and its proof, on one line.
    ///
    /// Names from certificates are escaped, and shown only if a trusted authority vouches for them.
    public var description: String {
        switch self {
        case .verified(let parties): parties.map(ConsentSummary.text(of:)).joined(separator: " and ")
        case .unsigned: "An unknown reader (it did not sign the request)"
        case .refused(let failure): "An unknown reader (its signature is refused: \(failure.reason))"
        }
    }
}

import MdocKit

extension NFCEngagementTag {
    /// The NDEF file's content for a reader: a length of zero while there is no message for it.
    var visibleContent: [UInt8] {
        if case .requested = exchange { return [0, 0] }
        return isWriting ? [0, 0] : content
    }

    /// A message is written into the service alone, and not while an answer is being made.
    var isWritableNow: Bool {
        switch exchange {
        case .showing, .requested: false
        case .offering, .selected, .answered: true
        }
    }

    /// Writes into the NDEF file, at its start the length, and takes the message when its length is set.
    ///
    /// A reader writes a length of zero, the message, then its length; or all at once.
    mutating func write(_ bytes: [UInt8], at offset: Int) -> (status: StatusWord, event: Event?) {
        guard offset >= 2 || (offset == 0 && bytes.count >= 2) else { return (.wrongData, nil) }
        if offset == 0, !isWriting || (bytes[0] == 0 && bytes[1] == 0) {
            isWriting = true
            content = [0, 0]
        }
        guard isWriting else { return (.conditionsNotSatisfied, nil) }
        let end = offset + bytes.count
        content += [UInt8](repeating: 0, count: max(0, end - content.count))
        content.replaceSubrange(offset..<end, with: bytes)
        let length = Int(content[0]) << 8 | Int(content[1])
        guard offset == 0, length > 0 else { return (.success, nil) }
        guard length <= content.count - 2 else {
            content[0] = 0
            content[1] = 0
            return (.wrongData, nil)
        }
        isWriting = false
        return (.success, take(content[2..<(length + 2)]))
    }

    /// The event of the last byte of the Handover Select message being read, once.
    mutating func completion(upTo end: Int) -> Event? {
        guard file == .ndef, !isWriting, !isComplete, end == content.count else { return nil }
        switch exchange {
        case .showing(let select):
            isComplete = true
            return .completed(NFCHandover(select: select, request: nil))
        case .answered(let handover):
            isComplete = true
            return .completed(handover)
        case .offering, .selected, .requested:
            return nil
        }
    }

    /// Takes a message that was written, and shows the answer as far as it is known.
    private mutating func take(_ bytes: ArraySlice<UInt8>) -> Event? {
        isComplete = false
        do throws(MdocError) {
            let message = try NDEFMessage(decoding: bytes, limits: limits)
            if let selection = try TNEPServiceSelect(message) {
                try selectService(selection)
                return nil
            }
            guard case .selected = exchange else {
                throw MdocError(.unexpectedMessage, "a message is written before the handover service is selected")
            }
            let request = try HandoverRequest(message, options, limits)
            exchange = .requested(request)
            return .requested(request)
        } catch {
            return fail(error)
        }
    }

    /// Selects the service, or none.
    private mutating func selectService(_ selection: TNEPServiceSelect) throws(MdocError) {
        guard !selection.serviceName.isEmpty else {
            exchange = .offering
            return try show(initialMessage)
        }
        guard selection.serviceName == TNEPServiceParameters.handoverServiceName else {
            throw MdocError(.unexpectedMessage, "a service is selected that is not offered")
        }
        exchange = .selected
        try show(TNEPStatus.success.message())
    }

    private mutating func fail(_ error: MdocError) -> Event {
        exchange = .offering
        do throws(MdocError) {
            try show(TNEPStatus.protocolError.message())
            return .failed(error)
        } catch {
            return .failed(error)
        }
    }
}
